/** For how long a session is quiet. */
export const snooze = {
  for15Minutes: 'for 15 minutes',
  forAnHour: 'for an hour',
  untilTomorrow: 'Until tomorrow',
  untilTomorrowTomorrow: (tomorrow: string) => `until tomorrow, ${tomorrow}`,
  minutes15: '15 minutes',
  hour: '1 hour',
};
