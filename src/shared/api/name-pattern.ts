/** No control characters, no halves of a surrogate pair, nothing that turns the direction of what stands beside it. */
const REFUSED = String.raw`\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069`;
/** What shows nothing by itself: spaces, joiners, the marks of formats. */
const UNSEEN = String.raw`\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}`;
/** Its classes have nothing in common where one follows the other, so that it takes one pass, however long the text is. */
const SEEN = String.raw`(?:(?![\u202a-\u202e\u2066-\u2069])[${UNSEEN}])*[^${UNSEEN}${REFUSED}][^${REFUSED}]*`;

/** What can be seen, and moves no cursor; with the flag `u`. */
export const NAME_PATTERN = `^${SEEN}$`;
/** The empty text is no tag. */
export const TAG_PATTERN = `^(?:${SEEN})?$`;
