/*
 * What the pages do by themselves; without it all of them work. It makes no page: a match that comes live is mark-up that
 * the daemon has made, and every text in it is escaped there.
 */
const $ = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

/** A choice is made when it is chosen: the button beside it is for who has no script. */
for (const choice of all('[data-submits]')) {
  choice.addEventListener('change', () => choice.form.requestSubmit());
  $('button', choice.form).hidden = true;
}

/** Filter as you type: the rows of this page. Enter asks for all of them. */
for (const field of all('[data-filters]')) {
  const rows = all(`#${field.dataset.filters} > [data-item]`).map((row) => [row, row.textContent.toLowerCase()]);
  const filter = () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const [row, text] of rows) row.hidden = !words.every((word) => text.includes(word));
  };
  field.addEventListener('input', filter);
}

/** Times grow older while one looks. */
const MINUTE = 60_000;
const ago = (ms) => {
  const away = Math.abs(ms);
  if (away < MINUTE) return 'now';
  const length =
    away < 60 * MINUTE
      ? `${Math.floor(away / MINUTE)} min`
      : away < 2_880 * MINUTE
        ? `${Math.floor(away / (60 * MINUTE))} h`
        : `${Math.floor(away / (1_440 * MINUTE))} days`;
  return ms > 0 ? `${length} ago` : `in ${length}`;
};
const tellTimes = () => {
  for (const time of all('time[datetime]')) {
    const at = new Date(time.dateTime);
    const age = Date.now() - at;
    time.title = at.toLocaleString();
    if (Math.abs(age) < 31 * 1_440 * MINUTE) time.textContent = ago(age);
  }
};
tellTimes();
setInterval(tellTimes, MINUTE);

/** The timeline, live. While one reads further down, what comes waits behind a button: nothing moves under one's eyes. */
const list = $('#matches[data-live]');
if (list) {
  const MOST = 300;
  const newer = $('#newer');
  const said = $('#said');
  let waiting = [];
  const show = () => {
    for (const item of waiting) list.prepend(item);
    for (const item of all('.match', list).slice(MOST)) item.remove();
    $('.empty')?.remove();
    said.textContent = `${waiting.length} new`;
    waiting = [];
    newer.hidden = true;
    tellTimes();
  };
  newer.addEventListener('click', () => {
    show();
    scrollTo(0, 0);
  });
  const open = () => {
    const source = new EventSource(list.dataset.live);
    source.addEventListener('update', ({ data }) => {
      const item = new DOMParser().parseFromString(data, 'text/html').body.firstElementChild;
      if (!item || document.getElementById(item.id) || waiting.some(({ id }) => id === item.id)) return;
      item.classList.add('come');
      waiting.push(item);
      if (scrollY < 100) return show();
      newer.textContent = `${waiting.length} new`;
      newer.hidden = false;
    });
    addEventListener('pagehide', () => source.close(), { once: true });
  };
  open();
  // Back from the browser's memory: the stream was closed when one left.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
}

/** A check that was asked for: the page is asked again until it is there. */
if ($('[data-again]')) setTimeout(() => location.reload(), 1_500);

/** Keys, as `?` lists them; none of them while one types. */
let isGoing = false;
const step = (by) => {
  const items = all('[data-item]').filter((item) => !item.hidden);
  const at = items.findIndex((item) => item.classList.contains('at'));
  const next = items[Math.min(items.length - 1, Math.max(0, at + by))];
  if (!next) return;
  items[at]?.classList.remove('at');
  next.classList.add('at');
  $('a', next)?.focus({ preventScroll: true });
  next.scrollIntoView({ block: 'nearest' });
};
const keys = {
  g: () => (isGoing = true),
  j: () => step(1),
  k: () => step(-1),
  o: () => $('.at a')?.click(),
  '?': () => $('#keys')?.showModal(),
  '/': () => $('[data-filters]')?.focus(),
};
addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey || target.closest('input, textarea, select, dialog')) return;
  const place = isGoing && /^[a-z]$/.test(key) && $(`.bar [data-key="${key}"]`);
  isGoing = false;
  if (!place && !Object.hasOwn(keys, key)) return;
  // Else the slash would be typed into the field that it leads to.
  event.preventDefault();
  if (place) place.click();
  else keys[key]();
});
