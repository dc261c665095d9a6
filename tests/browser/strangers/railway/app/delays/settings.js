/* settings of the travel information pages */
Rail.settings.patience = 800;
Rail.settings.refresh = 60000;
Rail.settings.language = 'en';
