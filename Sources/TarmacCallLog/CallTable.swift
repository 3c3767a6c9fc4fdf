/// The calls of a log by their numbers in their clients. Numbers follow one another, so that each has nearly always a slot of its own, and
/// nothing is hashed on the path of a call.
struct CallTable {
    private var slots: [CallRecord?] = Array(repeating: nil, count: 64)
    private(set) var count = 0

    private func slot(_ call: UInt64) -> Int { Int(truncatingIfNeeded: call) & (slots.count - 1) }

    /// Returns the newest of the calls.
    func record(_ client: LogClient, _ call: UInt64) -> CallRecord? {
        var record = slots[slot(call)]
        while let current = record {
            if current.has(client, call) { return current }
            record = current.next
        }
        return nil
    }

    mutating func insert(_ record: CallRecord) {
        if count == slots.count { grow() }
        let slot = slot(record.raw.call)
        record.next = slots[slot]
        slots[slot] = record
        count += 1
    }

    mutating func remove(_ record: CallRecord) {
        let slot = slot(record.raw.call)
        defer { record.next = nil }
        if slots[slot] === record {
            slots[slot] = record.next
            count -= 1
            return
        }
        var before = slots[slot]
        while let current = before {
            if current.next === record {
                current.next = record.next
                count -= 1
                return
            }
            before = current.next
        }
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: nil, count: old.count * 2)
        for first in old {
            // From the oldest on, so that the newest stays in front.
            var chain: [CallRecord] = [], record = first
            while let current = record {
                chain.append(current)
                record = current.next
            }
            for record in chain.reversed() {
                let slot = slot(record.raw.call)
                record.next = slots[slot]
                slots[slot] = record
            }
        }
    }
}
