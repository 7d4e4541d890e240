/** The package ships without types; this is the part of its README that we use. */
declare module 'html-encoding-sniffer' {
  interface SniffOptions {
    /** XML rules (BOM, header, XML declaration) instead of HTML's (BOM, header, meta prescan). */
    readonly xml?: boolean;
    readonly transportLayerEncodingLabel?: string;
    /** Answered, as it is, where nothing declares an encoding. */
    readonly defaultEncoding?: string;
    readonly maxPrescanBytes?: number;
  }
  /** The name of an encoding of the WHATWG Encoding standard. */
  function sniffEncoding(bytes: Uint8Array, options?: SniffOptions): string;
  export = sniffEncoding;
}
