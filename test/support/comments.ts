import ts from 'typescript';

/** The comments of a source as people read them: TypeScript and JavaScript by the compiler's parser, Python by its marks. */

/** A paragraph or an item of a list, by lines of the file. */
export type Paragraph = { line: number; text: string }[];

/** A comment's lines without its marks. Neighbouring comments of one line each are one comment. */
type Comment = Paragraph;

const IS_DIRECTIVE = /^(?:eslint\b|prettier-ignore|noqa\b|type:|@ts-|@typedef\b|@import\b|#__PURE__|!)/;

type Range = readonly [start: number, end: number];

const { SyntaxKind } = ts;
/** Tokens after which a slash divides. */
const OPERAND_ENDS = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.PrivateIdentifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.BigIntLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.RegularExpressionLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.PlusPlusToken,
  SyntaxKind.MinusMinusToken,
  SyntaxKind.ThisKeyword,
  SyntaxKind.SuperKeyword,
  SyntaxKind.NullKeyword,
  SyntaxKind.TrueKeyword,
  SyntaxKind.FalseKeyword,
]);
/** Words such as `type` and `from` are also names. */
const endsOperand = (kind: ts.SyntaxKind) =>
  OPERAND_ENDS.has(kind) || (kind > SyntaxKind.LastReservedWord && kind < SyntaxKind.OfKeyword);

/** The comments of a source without JSX, by tokens alone: an eighth of the parser's work. Null if the parser is needed. */
function scanned(text: string): Range[] | null {
  const ranges: Range[] = [];
  let isSound = true;
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, text, () => {
    isSound = false;
  });
  /** Open braces, and their number at each open template. */
  let braces = 0;
  const templates: number[] = [];
  let before = SyntaxKind.Unknown;
  for (let kind = scanner.scan(); kind !== SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    if (kind === SyntaxKind.SingleLineCommentTrivia || kind === SyntaxKind.MultiLineCommentTrivia) {
      ranges.push([scanner.getTokenStart(), scanner.getTokenEnd()]);
    }
    if (kind >= SyntaxKind.FirstTriviaToken && kind <= SyntaxKind.LastTriviaToken) continue;
    const isSlash = kind === SyntaxKind.SlashToken || kind === SyntaxKind.SlashEqualsToken;
    if (isSlash && !endsOperand(before)) kind = scanner.reScanSlashToken();
    if (kind === SyntaxKind.CloseBraceToken && templates.at(-1) === braces) {
      kind = scanner.reScanTemplateToken(false);
      if (kind === SyntaxKind.TemplateTail) templates.pop();
    } else if (kind === SyntaxKind.CloseBraceToken) braces--;
    else if (kind === SyntaxKind.OpenBraceToken) braces++;
    else if (kind === SyntaxKind.TemplateHead) templates.push(braces);
    before = kind;
  }
  return isSound && braces === 0 && templates.length === 0 ? ranges : null;
}

/** Pieces of a source that may look like comments: strings, templates, regular expressions, text of JSX. */
function literalsOf(sf: ts.SourceFile): Range[] {
  const spans: Range[] = [];
  const visit = (node: ts.Node): void => {
    const isLiteral =
      ts.isStringLiteralLike(node) ||
      node.kind === SyntaxKind.RegularExpressionLiteral ||
      ts.isJsxText(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node);
    if (isLiteral) spans.push([node.getStart(sf), node.end]);
    else ts.forEachChild(node, visit);
  };
  visit(sf);
  return spans;
}

/** The comments of any source: between two literals every mark of a comment begins a comment. */
function parsed(path: string, text: string): Range[] {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : path.endsWith('js') ? ts.ScriptKind.JS : ts.ScriptKind.TS;
  const jsDocParsingMode = ts.JSDocParsingMode.ParseNone;
  const target = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode };
  const sf = ts.createSourceFile(path, text, target, false, kind);
  const ranges: Range[] = [];
  const comment = /\/\/[^\n]*|\/\*[^]*?\*\//g;
  for (const [start, end] of [...literalsOf(sf), [text.length, text.length] as const]) {
    for (let found = comment.exec(text); found !== null && found.index < start; found = comment.exec(text)) {
      ranges.push([found.index, found.index + found[0].length]);
    }
    comment.lastIndex = end;
  }
  return ranges;
}

const rangesIn = (path: string, text: string): Range[] =>
  (path.endsWith('x') ? null : scanned(text)) ?? parsed(path, text);

function lineCounter(text: string): (offset: number) => number {
  let at = 0;
  let line = 1;
  return (offset) => {
    for (; at < offset; at++) if (text.charCodeAt(at) === 10) line++;
    return line;
  };
}

/** Whether only blanks stand before a place in its line. */
const standsAlone = (text: string, at: number) => /^\s*$/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at));

/** Adds a comment of one line to the comment above if both stand alone. */
function addLine(comments: Comment[], open: Comment | null, line: number, text: string): Comment {
  if (open?.at(-1)?.line === line - 1) {
    open.push({ line, text });
    return open;
  }
  const comment = [{ line, text }];
  comments.push(comment);
  return comment;
}

function scriptComments(path: string, text: string): Comment[] {
  const comments: Comment[] = [];
  const lineAt = lineCounter(text);
  let open: Comment | null = null;
  for (const [start, end] of rangesIn(path, text)) {
    const line = lineAt(start);
    const raw = text.slice(start, end);
    if (raw.startsWith('//')) {
      const body = raw.slice(2).replace(/^ /, '');
      if (standsAlone(text, start)) open = addLine(comments, open, line, body);
      else comments.push([{ line, text: body }]);
      continue;
    }
    open = null;
    const lines = raw.replace(/^\/\*+|\*\/$/g, '').split('\n');
    comments.push(lines.map((body, i) => ({ line: line + i, text: body.replace(/^\s*\* ?/, '') })));
  }
  return comments;
}

/** Docstrings are strings of three quotes that begin a line. */
function pythonComments(text: string): Comment[] {
  const comments: Comment[] = [];
  const lineAt = lineCounter(text);
  let open: Comment | null = null;
  const token = /("""|''')([^]*?)\1|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#:?([^\n]*)/g;
  for (const { index, 2: string, 3: mark } of text.matchAll(token)) {
    const line = lineAt(index);
    const isAlone = standsAlone(text, index);
    if (string !== undefined && isAlone) {
      const lines = string.split('\n');
      const indents = lines.slice(1).filter((one) => one.trim() !== '').map((one) => /^ */.exec(one)![0].length); // prettier-ignore
      const indent = Math.min(...indents);
      comments.push(lines.map((body, i) => ({ line: line + i, text: i === 0 ? body : body.slice(indent) })));
    } else if (mark !== undefined) {
      const body = mark.replace(/^ /, '').replace(/^-+ /, '');
      if (isAlone) open = addLine(comments, open, line, body);
      else comments.push([{ line, text: body }]);
    }
  }
  return comments;
}

/** Paragraphs and items of a comment. Tables, fences and lines indented by three or more are no language. */
function paragraphsOf(comment: Comment): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let open: Paragraph | null = null;
  let itemIndent = 0;
  let isFence = false;
  for (const { line, text } of comment) {
    const body = text.trim();
    const indent = /^ */.exec(text)![0].length;
    const item = /^(?:[-*]|\d+\.|@\w+(?: *\{[^}]*\})?)\s+/.exec(body)?.[0].length;
    if (body.startsWith('```')) isFence = !isFence;
    const isPreformatted = isFence || /^(?:```|\|)/.test(body) || (indent > 2 && indent > itemIndent);
    if (body === '' || isPreformatted || IS_DIRECTIVE.test(body)) open = null;
    else if (item !== undefined || open === null) {
      itemIndent = item === undefined ? 0 : indent + item;
      open = [{ line, text: body.slice(item ?? 0) }];
      paragraphs.push(open);
    } else open.push({ line, text: body });
  }
  return paragraphs;
}

export const paragraphsIn = (path: string, text: string): Paragraph[] =>
  (path.endsWith('.py') ? pythonComments(text) : scriptComments(path, text)).flatMap(paragraphsOf);
