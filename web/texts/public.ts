/** The English texts of public, by the file that says them. */
export const homeTexts = {
  bot: 'Bot',
  score: 'Score',
  hands: 'Hands',
  bigBlindsWonPerHands: 'Big blinds won per 100 hands, with the luck of all-ins taken out, and its 95 % interval',
  botsPlayPokerHere: 'Bots play poker here',
  noLimitHoldemSixTo:
    "No-Limit Hold'em, six to a table, around the clock. Write a bot in any language, let it play over a WebSocket, and see where it stands.",
  topTen: 'Top ten',
  allPlaces: 'All places',
  nobodyHasPlayedTenHands: 'Nobody has played ten hands of this season yet.',
  topTenOfTheSeason: 'Top ten of the season',
  yourFirstBot: 'Your first bot',
  liveNow: 'Live now',
  handsASecond: 'Hands a second',
  atTheTablesOfThe: 'At the tables of the season',
  botsConnected: 'Bots connected',
  tables: 'Tables',
  season: 'Season',
  seasonEndsIn: (seasonNumber: string | number) => `Season ${seasonNumber} ends in`,
  itsLastHands: 'its last hands',
  inTheSeason: 'In the season',
};

export const leaderboardTexts = {
  leaderboard: 'Leaderboard',
  season: (seasonNumber: string | number) => `Season ${seasonNumber}`,
  season2: 'Season ',
  itsLastHandsArePlayed: 'Its last hands are played.',
  endsIn: 'Ends in ',
  theStandingsAsTheyWere: 'The standings as they were when it ended.',
  season3: 'Season',
  now: 'now',
  myPlace: 'My place ',
  m: 'm',
  noBotWithInIts: (search: string | number) =>
    `No bot with “${search}” in its name has played ten hands of this season.`,
  nobodyStandsSoFarDown: 'Nobody stands so far down.',
  nobodyHasPlayedTenHands:
    'Nobody has played ten hands of this season yet. Bots that join the lobby are seated within a second.',
  writeTheFirstBot: 'Write the first bot',
  nobodyIsListedHere: 'Nobody is listed here.',
  standingsAtTheEndOf: 'Standings at the end of the season',
};

export const movementTexts = {
  notKnown: 'Not known',
  theSamePlace: 'The same place',
  fromPlace: (from: string | number) => `From place ${from}`,
  up: 'up',
  down: 'down',
};

export const ownPlaceTexts = {
  isNumber: ' is number ',
  withWord: ' with ',
  behind: ' behind ',
  and: 'and ',
  behindTheFirst: ' behind the first',
};

export const rateTexts = {
  notCountedYet: 'not counted yet',
};

export const boardColumnsTexts = {
  bot: 'Bot',
  hasTheSeasonPass: 'Has the season pass',
  pass: 'pass',
  banned: 'banned',
  score: 'Score',
  hands: 'Hands',
  won: 'Won',
  shareOfHandsWithA: 'Share of hands with a gain',
  rebuys: 'Rebuys',
  bigBlindsWonPerHands: 'Big blinds won per 100 hands with the luck of all-ins taken out, and its 95 % interval',
  interval: 'Interval',
  prize: 'Prize',
  isPaidBy: 'The operator looks at the season first. It is paid by',
  h: '1 h',
  placesWonOrLostIn: 'Places won or lost in the last hour',
  h2: '24 h',
  placesWonOrLostIn2: 'Places won or lost in the last day',
  toNext: 'To next',
  pointsBehindThePlaceBefore: 'Points behind the place before it',
  toFirst: 'To first',
  pointsBehindTheFirst: 'Points behind the first',
};

export const agentTexts = {
  when: 'When',
  whatItDid: 'What it did',
  pot: 'Pot',
  result: 'Result',
  hand: 'Hand',
  noSuchBot: 'No such bot',
  noBotHasThisAddress: 'No bot has this address, or its owner keeps its page to himself.',
  toTheLeaderboard: 'To the leaderboard',
  aBot: 'A bot',
  houseBot: 'house bot',
  season: ', season ',
  itHasNoPartIn: 'It has no part in this season yet.',
  lastHands: 'Last hands',
  noneOfThisSeasonCan: 'None of this season can be seen yet.',
  sitsAtNoTableNow: 'Sits at no table now.',
  playsAtTable: 'Plays at table ',
  season2: (seasonNumber: string | number) => `Season ${seasonNumber}`,
  noRank: 'no rank',
  ofWord: 'of ',
  score: 'Score',
  hands: 'Hands',
  won: 'Won',
  withoutAllInLuck: 'without all-in luck',
  rebuys: 'Rebuys',
  chipsWon: 'Chips won',
  over: (hand: string | number) => `over ${hand}`,
  chipsWonOverOfThe: (hand: string | number) => `Chips won over ${hand} of the season`,
  afterHand: 'After hand',
  chips: 'chips',
};

export const signInTexts = {
  signIn: 'Sign in',
  youAreSignedIn: 'You are signed in',
  asWord: (email: string | number) => `As ${email}.`,
  registerYourBot: 'Register your bot',
  to: (agentName: string | number) => `To ${agentName}`,
  signOut: 'Sign out',
  aLinkComesByE: 'A link comes by e-mail. It works once; there is no password.',
  ifWord: 'If ',
  canBeReachedALink: ' can be reached, a link is on its way. Open it in this browser.',
  aServerWithoutAMail: 'A server without a mail server writes the link to its log.',
  anotherAddress: 'Another address',
  sendMeALink: 'Send me a link',
  eMailAddress: 'E-mail address',
  itIsUsedForThis: 'It is used for this link, for what you are invited to, and for nothing else.',
};
