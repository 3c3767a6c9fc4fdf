import TarmacCore

/// The entries that workers hold, from the lease until the result is stored (pure).
struct OutboxHands {
    /// The content of each entry when it was leased.
    private var contents: [OutboxEntry.ID: Bytes] = [:]
    /// The entries that another process has edited since.
    private var edited: Set<OutboxEntry.ID> = []
    /// The entries that were leased while a worker held them. A settlement has ended that lease, unless the lease came after it.
    private var leasedAgain: Set<OutboxEntry.ID> = []

    var ids: Set<OutboxEntry.ID> { Set(contents.keys) }

    func holds(_ id: OutboxEntry.ID) -> Bool { contents[id] != nil }
    func isEdited(_ id: OutboxEntry.ID) -> Bool { edited.contains(id) }

    /// Takes up a leased entry; returns `false` if a worker holds it already.
    mutating func takeUp(_ record: OutboxRecord) -> Bool {
        if let content = contents[record.id] {
            if content != record.payload { edited.insert(record.id) }
            leasedAgain.insert(record.id)
            return false
        }
        contents[record.id] = record.payload
        return true
    }

    /// Puts an entry down after its settlement; returns `false`, and keeps it, if it was leased again since it was taken up or last kept. That
    /// lease has to be ended first: it would last as long as the outbox renews its leases, and no worker sends the entry.
    mutating func putDown(_ id: OutboxEntry.ID) -> Bool {
        if leasedAgain.remove(id) != nil { return false }
        contents[id] = nil
        edited.remove(id)
        return true
    }
}
