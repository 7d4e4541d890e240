/** Every value of `language` (spec: Vocabularies). There is no bare `zh`. */
export const LANGUAGES: readonly string[] = (
  'af ar bg bn cs da de el en es et fa fi fr gu he hi hr hu id it ja kn ko lt lv mk ' +
  'ml mr ne nl no pa pl pt ro ru sk sl so sq sv sw ta te th tl tr uk ur vi zh-cn zh-tw'
).split(' ');
