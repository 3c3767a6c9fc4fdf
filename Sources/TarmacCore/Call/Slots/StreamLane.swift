@_spi(TarmacRooms) import TarmacHTTP

/// Tells requests apart that a call sends side by side, such as those of the ranges of a file. Each has a streamed body of its own.
private struct StreamLane: Attachment { let number: Int64 }

extension Request {
    /// The number of the request's lane. 0, unless the call has several.
    package var lane: Int64 {
        get { self[StreamLane.self]?.number ?? 0 }
        set { self[StreamLane.self] = newValue == 0 ? nil : StreamLane(number: newValue) }
    }
}

/// The bodies that a call streams, one for each lane.
struct StreamLanes {
    struct Stream {
        var exchange: Exchange?
        /// It is weak, because a body that is dropped early, as in a redirect, gives its slot back itself.
        weak var slot: StreamSlot?

        func end() {
            exchange?.abort(.cancelled)
            slot?.leave()
        }
    }

    // Nearly all calls have one lane.
    private var first = Stream()
    private var others: [Int64: Stream] = [:]

    subscript(lane: Int64) -> Stream {
        get { lane == 0 ? first : others[lane] ?? Stream() }
        set { if lane == 0 { first = newValue } else { others[lane] = newValue } }
    }

    mutating func take(_ lane: Int64) -> Stream {
        defer { if lane == 0 { first.exchange = nil } else { others[lane] = nil } }
        return self[lane]
    }

    mutating func take() -> [Stream] {
        defer { (first.exchange, others) = (nil, [:]) }
        return [first] + others.values
    }
}
