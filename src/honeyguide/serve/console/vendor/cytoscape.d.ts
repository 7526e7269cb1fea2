declare const made: any;
export default made;
