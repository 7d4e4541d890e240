const none = (): Promise<never> => Promise.reject(new Error('not asked for here'));

/** What the operator's server has beside the accounts, taps and watches of a house; none of it answers. */
export const desks = {
  sources: { list: none, show: none, add: none, addAll: none, edit: none, remove: none },
  crawl: { status: none, why: none, visit: none },
  ratings: { show: none, status: none, begin: none, add: none, publish: none, giveUp: none, clear: none },
  ingest: { known: none, add: none },
  metrics: { contentType: 'text/plain', text: none },
  status: none,
};
