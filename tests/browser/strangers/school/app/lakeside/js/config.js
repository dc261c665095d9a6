export const MEDIA_HOST = 'http://127.0.0.1:@@PORT@@';
export const APP_VERSION = '2.14.0';
