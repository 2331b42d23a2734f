import { counted, form } from '../plural';

/** The list at the left. */
export const list = {
  sessions: (count: number) => form(count, ' session', ' sessions'),
  fit: (count: number) => counted(count, 'session fits', 'sessions fit'),
  messagesWait: (count: number) => `${counted(count, 'message waits', 'messages wait')} until it is free`,
};
