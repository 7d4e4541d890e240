/**
 * Who is asking. Two kinds of key exist (spec, Authentication): a management key acts as the member who made it,
 * a tap token acts for one tap. Every check of ownership in the daemon is made against one of these.
 */
export interface Manager {
  readonly kind: 'manager';
  readonly organizationId: string;
  readonly memberId: string;
}

export interface TapHolder {
  readonly kind: 'tap';
  readonly tapId: string;
  readonly organizationId: string;
}
