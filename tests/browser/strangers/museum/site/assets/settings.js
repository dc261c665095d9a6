// Shared by the pages for visitors. Owned by the web team.
export const settings = {
  locale: 'en-GB',
  firstWeek: 49,
  tours: {
    path: '/museum/api/tours',
    // how long visitors wait for the calendar, in seconds
    patience: 5,
  },
  languages: '/museum/api/languages',
};
