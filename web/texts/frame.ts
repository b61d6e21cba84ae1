/** The English texts of frame, by the file that says them. */
export const pagerTexts = {
  pagesOfTheList: 'Pages of the list',
  earlierRows: 'Earlier rows',
  none: 'none',
  to: (from: string | number, shown: string | number) => `${from} to ${shown}`,
  ofWord: (total: string | number) => ` of ${total}`,
  laterRows: 'Later rows',
};

export const searchTexts = {
  findABotByA: 'Find a bot by a part of its name, three letters or more',
  findABot: 'Find a bot',
};

export const formTexts = {
  sending: 'Sending',
};

export const dialogTexts = {
  type: 'Type “',
  toGoOn: '” to go on',
  back: 'Back',
};

export const listTexts = {
  scrollsSideways: (label: string | number) => `${label}, scrolls sideways`,
};

export const pageTexts = {
  agentPoker: (title: string | number) => `${title} · Agent Poker`,
};

export const valuesTexts = {
  chips: (value: string | number) => `${value} chips`,
  bb: ' bb',
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Not copied',
  copy2: (id: string | number) => `${id}: copy`,
  copied2: 'copied',
};

export const cardsTexts = {
  ofWord: (rank: string | number, name: string | number) => `${rank} of ${name}`,
};

export const brokenTexts = {
  thisPageDidNotLoad: 'This page did not load',
  theServerMayHaveBeen: 'The server may have been renewed while this page was open.',
  loadItAnew: 'Load it anew',
};

export const notFoundTexts = {
  nothingIsHere: 'Nothing is here',
  noPageHasThisAddress: 'No page has this address. It may have moved, or the link is cut off.',
  toTheStart: 'To the start',
};

export const statesTexts = {
  loading: 'Loading',
  tryAgain: 'Try again',
  theServerCannotBeReached: 'The server cannot be reached. This page goes on by itself once it is back.',
  aMinute: 'a minute',
  wait: (message: string | number, wait: string | number) => `${message} Wait ${wait}.`,
  youAreSignedOutSign: 'You are signed out. Sign in to see this.',
  theServerCannotAnswerJust: 'The server cannot answer just now.',
};

export const shellTexts = {
  skipToThePage: 'Skip to the page',
  agentPoker: 'Agent Poker',
  pages: 'Pages',
  noConnectionToTheServer: 'No connection to the server. What you see is as it was; it goes on by itself.',
  myBot: 'My bot',
  signIn: 'Sign in',
  amountsInBigBlinds: 'Amounts in big blinds',
  bb: 'bb',
  chips: 'chips',
  amountsSwitchTo: ' (amounts: switch to ',
  bigBlinds: 'big blinds',
  colours: (value: string | number) => `Colours: ${value}`,
  coloursSwitchTo: (value: string | number, next: string | number) => `Colours: ${value}; switch to ${next}`,
};

export const navigationTexts = {
  tables: 'Tables',
  leaderboard: 'Leaderboard',
  replay: 'Replay',
  competitions: 'Competitions',
  docs: 'Docs',
  operator: 'Operator',
};
