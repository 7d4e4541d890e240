import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sentences } from '../../../../src/shared/page/read/segments.ts';

describe('sentences', () => {
  test.each<[string, string[]]>([
    ['One. Two! Three? Four… Five', ['One.', 'Two!', 'Three?', 'Four…', 'Five']],
    ['Really?! Yes... No.', ['Really?!', 'Yes...', 'No.']],
    ['He said “No.” Then he left. (It was late.) Very.', ['He said “No.”', 'Then he left.', '(It was late.)', 'Very.']],
    [
      'Dr. Smith met J. K. Brown of the U.S. Senate at 3 p.m. on Monday.',
      ['Dr. Smith met J. K. Brown of the U.S. Senate at 3 p.m. on Monday.'],
    ],
    [
      'It costs 3.50 euros, vs. 4.00 before. See www.example.com today.',
      ['It costs 3.50 euros, vs. 4.00 before.', 'See www.example.com today.'],
    ],
    ['Use e.g. Node, i.e. a runtime, etc. and so on.', ['Use e.g. Node, i.e. a runtime, etc. and so on.']],
    ['Am 3. März 2026 z. B. kam Hr. Maier. Er blieb.', ['Am 3. März 2026 z. B. kam Hr. Maier.', 'Er blieb.']],
    ['It began in 1990. Then it grew.', ['It began in 1990.', 'Then it grew.']],
    ['これは文です。次の文！「はい。」終わり', ['これは文です。', '次の文！', '「はい。」', '終わり']],
    ['यह वाक्य है। दूसरा वाक्य।', ['यह वाक्य है।', 'दूसरा वाक्य।']],
    ['هل هذا سؤال؟ نعم. حسنا', ['هل هذا سؤال؟', 'نعم.', 'حسنا']],
    ['Il dit : « Non. » Puis : « Oui ! » Fin.', ['Il dit : « Non. »', 'Puis : « Oui ! »', 'Fin.']],
    ['« Oui. », dit-il. Fin.', ['« Oui. », dit-il.', 'Fin.']],
    ['Er rief: „Komm!“ Sie blieb. „Nein.“', ['Er rief: „Komm!“', 'Sie blieb.', '„Nein.“']],
    ['他走了。“你好！”她说。', ['他走了。', '“你好！”', '她说。']],
    ['Er ging. »Komm!« Sie blieb.', ['Er ging.', '»Komm!«', 'Sie blieb.']],
    ['เรือออกแล้ว ลมแรงมาก ปี 2026 ที่ต่างๆ กัน', ['เรือออกแล้ว', 'ลมแรงมาก', 'ปี 2026 ที่ต่างๆ กัน']],
    ['ເຮືອອອກແລ້ວ ລົມແຮງ', ['ເຮືອອອກແລ້ວ', 'ລົມແຮງ']],
    ['no capital. follows here', ['no capital. follows here']],
    ['', []],
  ])('%s', (text, expected) => {
    expect([...sentences(text)]).toEqual(expected);
  });

  test('nothing is lost but the spaces between', () => {
    const characters = fc.constantFrom(...'aB1 .!?…"”)。」 ы汉'.split(''));
    fc.assert(
      fc.property(fc.array(characters, { maxLength: 80 }), (parts) => {
        const text = parts.join('').replace(/\s+/g, ' ').trim();
        expect([...sentences(text)].join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      }),
    );
  });

  test('an edit inside one sentence leaves the others as they were', () => {
    const sentence = fc
      .array(fc.constantFrom('Harbour', 'tide', 'Dr. Lamp', '3.5', 'e.g. copper', 'J. Orchard', '“bridge”'), {
        minLength: 1,
        maxLength: 6,
      })
      .map((words) => `The ${words.join(' ')} ended here.`);
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 1, maxLength: 8 }), fc.nat(), sentence, (texts, at, other) => {
        const place = at % texts.length;
        const edited = texts.with(place, other);
        expect([...sentences(texts.join(' '))]).toEqual(texts);
        expect([...sentences(edited.join(' '))]).toEqual(edited);
      }),
    );
  });

  test('runs of terminators are looked at once', () => {
    expect([...sentences('.'.repeat(1_000_000))]).toHaveLength(1);
    expect([...sentences('。'.repeat(500_000))]).toHaveLength(1);
  });
});
