#if SQLite
extension DatabaseSchema {
    /// What a record says is the ledger's own business, as it is in a file.
    static let transfers = DatabaseSchema(
        name: "transfer",
        steps: ["CREATE TABLE transfer_record (key TEXT PRIMARY KEY NOT NULL, record BLOB NOT NULL) STRICT, WITHOUT ROWID"])
}
#endif
