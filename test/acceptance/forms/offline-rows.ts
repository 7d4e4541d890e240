import type { Noun } from './row.ts';

const page = (line: string): string =>
  `<title>Ferry timetable</title><h1>Ferry timetable</h1><p>The ferry sails from May.</p><p>${line}</p>`;

/** What needs no daemon. */
export const offlineRows: Noun = ({ file }) => {
  const [old, now] = [file('old.html', page('It takes an hour.')), file('new.html', page('It takes two hours.'))];
  return [
    {
      command: 'extract',
      plain: { args: [now], says: /two hours/ },
      json: { args: [now] },
      fails: { args: [file('nothing.html')], exit: 2, code: 'unreadable' },
    },
    {
      command: 'diff',
      plain: { args: [old, now], exit: 1, says: /two hours/ },
      json: { args: [old, now], exit: 1 },
      fails: { args: [old, file('nothing.html')], exit: 2, code: 'unreadable' },
    },
    {
      command: 'validate',
      plain: { args: ['title:ferry'], says: /valid/ },
      json: { args: ['title:ferry'] },
      fails: { args: ['ferry', '--filter', 'nonsense'], exit: 2, code: 'usage' },
    },
    {
      command: 'match',
      plain: { args: ['ferry', now], says: /match/ },
      json: { args: ['ferry', now] },
      fails: { args: ['ferry', file('nothing.html')], exit: 2, code: 'unreadable' },
    },
    {
      command: 'analyze',
      plain: { args: ['The ferry'], says: /ferry/ },
      json: { args: ['The ferry'] },
      fails: { args: ['ferry', '--field', 'nonsense'], exit: 2, code: 'usage' },
    },
  ];
};
