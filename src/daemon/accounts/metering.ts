/**
 * The door between the streams and the ledger: before a stream writes events it says which ones, and hears how far
 * they are paid for. Offsets that were paid once are free ever after, whoever reads them: a charge is per tap and
 * offset, not per reader.
 */
export interface Metering {
  /** Whether a stream may begin: false when the organization's prepaid balance does not pay one more match (402). */
  mayOpen(organizationId: string): Promise<boolean>;
  /**
   * Pays for the events of a tap with the offsets `from` (included) to `to` (not included), those of them that were
   * not paid before, in order, as far as the balance goes; committed when it answers. What is below the answer may be
   * written; an answer below `to` means that the credit is used up there. A plain number when nothing has to be waited
   * for: unlimited credit, or paid already.
   */
  deliver(tapId: string, from: number, to: number): number | Promise<number>;
}

/** Where nothing is counted: tests of other rooms. */
export const freeMetering: Metering = {
  mayOpen: () => Promise.resolve(true),
  deliver: (_tapId, _from, to) => to,
};
