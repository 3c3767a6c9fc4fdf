#if SQLite
extension DatabaseSchema {
    /// The content of a record belongs to the ledger, as in a file.
    static let transfers = DatabaseSchema(
        name: "transfer",
        steps: ["CREATE TABLE transfer_record (key TEXT PRIMARY KEY NOT NULL, record BLOB NOT NULL) STRICT, WITHOUT ROWID"])
}
#endif
