import type { RouteSpec } from '../route.js';
import * as accounts from './accounts.js';
import * as analytics from './analytics.js';
import * as coOrganizers from './co-organizers.js';
import * as competitionHands from './competition-hands.js';
import * as people from './competition-people/index.js';
import * as results from './competition-results.js';
import * as competitions from './competitions.js';
import * as credits from './credits.js';
import * as decks from './duplicate-decks.js';
import * as documents from './documents.js';
import * as health from './health.js';
import * as history from './history.js';
import * as hosted from './hosted.js';
import * as mishaps from './mishaps.js';
import * as onchain from './onchain.js';
import * as opponents from './opponents.js';
import * as versions from './versions.js';
import * as versus from './versus.js';
import * as operator from './operator/index.js';
import * as ownInvitations from './own-invitations.js';
import * as publicView from './public.js';
import * as stats from './season-stats.js';
import * as seasons from './seasons.js';
import * as signIn from './sign-in.js';
import * as tables from './tables.js';
import * as wallets from './wallets.js';

/**
 * Every endpoint of the platform by name. A feature joins its specs with handlers through `defineRoute`; src/platform/
 * hands the routes to the router, which puts literal segments before parameters ('/api/season/me' before
 * '/{season_id}').
 */
export const Rest = {
  registerAgent: accounts.registerAgent,
  getMe: accounts.getMe,
  updateMe: accounts.updateMe,
  regenerateKey: accounts.regenerateKey,
  completeOnboarding: accounts.completeOnboarding,
  switchRuntime: accounts.switchRuntime,
  getActiveGame: accounts.getActiveGame,
  listMishaps: mishaps.listMishaps,
  challengeWallet: wallets.challengeWallet,
  proveWallet: wallets.proveWallet,
  cancelWalletChange: wallets.cancelWalletChange,
  requestSignInLink: signIn.requestSignInLink,
  followSignInLink: signIn.followSignInLink,
  getSession: signIn.getSession,
  logout: signIn.logout,
  getCurrentSeason: seasons.getCurrentSeason,
  listSeasons: seasons.listSeasons,
  getLeaderboard: seasons.getLeaderboard,
  getSeasonEntry: seasons.getSeasonEntry,
  updateSeasonEntry: seasons.updateSeasonEntry,
  registerForSeason: seasons.registerForSeason,
  rebuy: seasons.rebuy,
  buySeasonPass: seasons.buySeasonPass,
  listPrizes: seasons.listPrizes,
  getSeasonStats: stats.getSeasonStats,
  getSeasonChart: stats.getSeasonChart,
  getSeason: seasons.getSeason,
  getSeasonStandings: seasons.getSeasonStandings,
  getAnalytics: analytics.getAnalytics,
  listOpponents: opponents.listOpponents,
  listVersions: versions.listVersions,
  getCompetitionMetadata: competitions.getCompetitionMetadata,
  listCompetitions: competitions.listCompetitions,
  createCompetition: competitions.createCompetition,
  getCompetition: competitions.getCompetition,
  updateCompetition: competitions.updateCompetition,
  openEnrollment: competitions.openEnrollment,
  closeEnrollment: competitions.closeEnrollment,
  startCompetition: competitions.startCompetition,
  pauseCompetition: competitions.pauseCompetition,
  resumeCompetition: competitions.resumeCompetition,
  endCompetition: competitions.endCompetition,
  cancelCompetition: competitions.cancelCompetition,
  finalizeCompetition: competitions.finalizeCompetition,
  getCompetitionAudit: competitions.getCompetitionAudit,
  getStrategy: hosted.getStrategy,
  saveStrategy: hosted.saveStrategy,
  getStrategyApi: hosted.getStrategyApi,
  saveStrategyApi: hosted.saveStrategyApi,
  deployBot: hosted.deployBot,
  deployBotApi: hosted.deployBotApi,
  stopBot: hosted.stopBot,
  stopBotApi: hosted.stopBotApi,
  refreshBotToken: hosted.refreshBotToken,
  getBotStatus: hosted.getBotStatus,
  getBotStatusApi: hosted.getBotStatusApi,
  deposit: credits.deposit,
  depositDev: credits.depositDev,
  getBalance: credits.getBalance,
  listTransactions: credits.listTransactions,
  getPublicHand: publicView.getPublicHand,
  getPublicHandFile: publicView.getPublicHandFile,
  getAgentProfile: publicView.getAgentProfile,
  getAgentTable: publicView.getAgentTable,
  getVersus: versus.getVersus,
  getHandProof: history.getHandProof,
  getHandHistory: history.getHandHistory,
  exportHandHistory: history.exportHandHistory,
  getSeasonChipLedger: history.getSeasonChipLedger,
  depositOnchain: onchain.depositOnchain,
  claimDeposit: onchain.claimDeposit,
  withdraw: onchain.withdraw,
  getWithdrawal: onchain.getWithdrawal,
  listWithdrawals: onchain.listWithdrawals,
  getAccounting: onchain.getAccounting,
  getRevenue: onchain.getRevenue,
  listCoOrganizers: coOrganizers.listCoOrganizers,
  addCoOrganizer: coOrganizers.addCoOrganizer,
  removeCoOrganizer: coOrganizers.removeCoOrganizer,
  enrollInCompetition: people.enrollInCompetition,
  listInvitations: people.listInvitations,
  invitePeople: people.invitePeople,
  resendInvitation: people.resendInvitation,
  revokeInvitation: people.revokeInvitation,
  createInviteLink: people.createInviteLink,
  listInviteLinks: people.listInviteLinks,
  revokeInviteLink: people.revokeInviteLink,
  previewInvite: people.previewInvite,
  acceptInvite: people.acceptInvite,
  declineInvite: people.declineInvite,
  listOwnInvitations: ownInvitations.listOwnInvitations,
  acceptOwnInvitation: ownInvitations.acceptOwnInvitation,
  declineOwnInvitation: ownInvitations.declineOwnInvitation,
  listParticipants: people.listParticipants,
  rebuyInCompetition: people.rebuyInCompetition,
  withdrawFromCompetition: people.withdrawFromCompetition,
  removeParticipant: people.removeParticipant,
  disqualifyParticipant: people.disqualifyParticipant,
  restoreParticipant: people.restoreParticipant,
  listCompetitionHands: competitionHands.listCompetitionHands,
  exportCompetitionHands: competitionHands.exportCompetitionHands,
  getCompetitionHand: competitionHands.getCompetitionHand,
  getCompetitionLeaderboard: results.getCompetitionLeaderboard,
  getCompetitionStandings: results.getCompetitionStandings,
  getCompetitionResults: results.getCompetitionResults,
  getCompetitionResultsFile: results.getCompetitionResultsFile,
  getParticipantLive: results.getParticipantLive,
  getPublicCompetition: results.getPublicCompetition,
  getDuplicateDeck: decks.getDuplicateDeck,
  listTables: tables.listTables,
  getTable: tables.getTable,
  getPublicConfig: tables.getPublicConfig,
  getHealth: health.getHealth,
  getHealthDetail: health.getHealthDetail,
  getLive: health.getLive,
  getReady: health.getReady,
  getOperatorOverview: operator.getOperatorOverview,
  getOperatorHistory: operator.getOperatorHistory,
  getOperatorErrors: operator.getOperatorErrors,
  listOperatorAgents: operator.listOperatorAgents,
  listOperatorPrizes: operator.listOperatorPrizes,
  releasePrize: operator.releasePrize,
  refusePrize: operator.refusePrize,
  banAgent: operator.banAgent,
  unbanAgent: operator.unbanAgent,
  verifyAgentEmail: operator.verifyAgentEmail,
  resetAgentKey: operator.resetAgentKey,
  clearAgentWallet: operator.clearAgentWallet,
  listOperatorTables: operator.listOperatorTables,
  closeTableAsOperator: operator.closeTableAsOperator,
  listOperatorNodes: operator.listOperatorNodes,
  listCollusion: operator.listCollusion,
  drainNode: operator.drainNode,
  listOperatorInvites: operator.listOperatorInvites,
  createOperatorInvite: operator.createOperatorInvite,
  endSeason: operator.endSeason,
  listOperatorCompetitions: operator.listOperatorCompetitions,
  cancelCompetitionAsOperator: operator.cancelCompetitionAsOperator,
  finalizeCompetitionAsOperator: operator.finalizeCompetitionAsOperator,
  listOperatorWithdrawals: operator.listOperatorWithdrawals,
  retryWithdrawal: operator.retryWithdrawal,
  releaseWithdrawal: operator.releaseWithdrawal,
  returnWithdrawal: operator.returnWithdrawal,
  listOperatorDeposits: operator.listOperatorDeposits,
  retryDeposit: operator.retryDeposit,
  acceptDeposit: operator.acceptDeposit,
  reverseDeposit: operator.reverseDeposit,
  getOperatorLog: operator.getOperatorLog,
  getOperatorAudit: operator.getOperatorAudit,
  startOperatorAudit: operator.startOperatorAudit,
  getOpenApi: documents.getOpenApi,
  getAsyncApi: documents.getAsyncApi,
} as const;

export const restSpecs: readonly RouteSpec[] = Object.values(Rest);
