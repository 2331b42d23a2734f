/** What was said in a conversation, and what a pane shows. */
export const transcript = {
  faces: { terminal: 'Terminal', transcript: 'Transcript', replay: 'Replay' },
  whatThePaneShows: 'What the pane shows',
  showTranscript: 'Show transcript',
  showReplay: 'Show replay',
  showTerminal: 'Show terminal',
  conversationWords: 'conversation history read messages',
  replayWords: 'recording play again time',
  noConversationYet: 'nothing has been said yet',
  noReplay: 'it has no recording',
  itIsShown: 'it is shown',
};
