export {};
declare global { interface Window { Sortable: any; } }
