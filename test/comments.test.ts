/** Comments keep the rules of docs/internals/style.md that a program can check. */
import t from 'tap';
import { paragraphsIn, type Paragraph } from './support/comments.js';
import { FILE_MS } from './support/limits.js';
import { filesBelow, read } from './support/pages.js';
import { commentFaultsOf, plain, sentencesOf } from './support/sentences.js';

t.setTimeout(FILE_MS);

const FOLDERS = ['src', 'workers', 'web', 'sdk', 'bench', 'test', 'examples'];
const SOURCE = /\.(?:ts|tsx|mjs|js|py)$/;
const FOREIGN = /(?:^|\/)(?:node_modules|dist|_?generated)\//;

/** The faults of a source as `file:line fault: sentence`. */
function faultsIn(path: string, text: string): string[] {
  return paragraphsIn(path, text).flatMap((paragraph) => faultsOfParagraph(path, paragraph));
}

function faultsOfParagraph(path: string, paragraph: Paragraph): string[] {
  const found: string[] = [];
  let at = 0;
  const text = plain(paragraph.map((part) => part.text).join(' '));
  for (const sentence of sentencesOf(text)) {
    at = text.indexOf(sentence, at);
    const line = lineAt(paragraph, at);
    at += sentence.length;
    found.push(...commentFaultsOf(sentence).map((fault) => `${path}:${line} ${fault}: ${sentence}`));
  }
  return found;
}

/** The line of a place in a paragraph's plain text. */
function lineAt(paragraph: Paragraph, at: number): number {
  let end = 0;
  for (const { line, text } of paragraph) {
    end += plain(text).length + 1;
    if (at < end) return line;
  }
  return paragraph.at(-1)!.line;
}

void t.test('a fault is found with its line and sentence, and only in a comment', (t) => {
  const source = [
    "const url = 'http://example.com'; // Who reads slowly gets fresh states.",
    'const text = `// What is this ${1 /* Whoever asks. */}`;',
    '/**',
    ' * A run. The third `a b c` of',
    ' * which nothing is left.',
    ' *',
    ' *     Who is indented is no language.',
    ' * - Whose item this is.',
    ' */',
    `// ${'word '.repeat(26)}`,
    '// whose second line counts.',
    'const pattern = /[/*]/; /* What now? */',
    '// eslint-disable-next-line what-of-that',
  ].join('\n');
  t.same(
    faultsIn('a.ts', source).map((fault) => fault.replace(/: .*/, '')),
    [
      'a.ts:1 a subject without a noun',
      'a.ts:2 a subject without a noun',
      'a.ts:4 a chain',
      'a.ts:8 a subject without a noun',
      'a.ts:8 a chain by "whose"',
      'a.ts:10 a chain by "whose"',
      'a.ts:10 30 words',
    ],
  );
  t.match(faultsIn('a.ts', source)[2], 'The third Code of which nothing is left.');
  t.same(faultsIn('a.tsx', '<p>See https://x // Who {/* What it shows. */}</p>'), [
    'a.tsx:1 a subject without a noun: What it shows.',
  ]);
  const python = [
    'x = "# Who"  #: What it is.',
    'def f():',
    '    """',
    '    Fine.',
    '',
    '    Whoever asks.',
    '    """',
  ];
  t.same(faultsIn('a.py', python.join('\n')), [
    'a.py:1 a subject without a noun: What it is.',
    'a.py:6 a subject without a noun: Whoever asks.',
  ]);
  t.end();
});

void t.test('no sentence of a comment is long, or has a subject without a noun or a chain', (t) => {
  const files = FOLDERS.flatMap(filesBelow).filter((path) => SOURCE.test(path) && !FOREIGN.test(path));
  t.ok(files.length > 1000, `${files.length} files are read`);
  t.same(
    files.flatMap((path) => faultsIn(path, read(path))),
    [],
  );
  t.end();
});
