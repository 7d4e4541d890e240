/** The body is not what its type says, or broken beyond reading. The message is a sentence for the operator. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}
