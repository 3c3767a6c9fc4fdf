package import TarmacCore

/// The stored form of a transfer in a queue.
package struct TransferQueueRecord: Codable, Sendable, Equatable {
    package enum State: String, Codable, Sendable {
        case waiting, paused, failed
        /// It was running when the record was written. The next launch continues it before others.
        case running
    }

    package let id: String
    /// The place in the order of adding.
    package internal(set) var number: Int
    /// The `Idempotency-Key` of its upload, and its name for a transport that outlives the process.
    package let key: String
    /// The app's value as JSON.
    package let content: String
    /// The environment and the logins that it belongs to; `nil` in a record of an earlier version.
    package let owner: TransferQueueOwner?
    private var urgency: Int
    private var needs: Int
    package var state = State.waiting
    /// The reason of a failure that does not pass by itself.
    package var failure: String?
    /// Whether the server may have acted on an earlier attempt; `nil` in a record of an earlier version.
    private var arrived: Bool?

    package init(
        id: String, number: Int, key: String, content: String, owner: TransferQueueOwner? = nil, priority: CallPriority, conditions: TransferConditions
    ) {
        (self.id, self.number, self.key, self.content, self.owner) = (id, number, key, content, owner)
        (urgency, needs) = (priority.rawValue, conditions.rawValue)
    }

    package var priority: CallPriority {
        get { CallPriority(rawValue: urgency) ?? .normal }
        set { urgency = newValue.rawValue }
    }

    package var hasArrived: Bool {
        get { arrived ?? false }
        set { arrived = newValue }
    }

    package var conditions: TransferConditions {
        // No one meets a condition that is not known.
        get { TransferConditions(rawValue: needs).intersection(.all) }
        set { needs = newValue.rawValue }
    }

    /// The largest number of a new record, far from an overflow.
    static let largestNumber = 1 << 30

    /// Whether a file with this record belongs to the queue.
    var isSound: Bool { (0...Self.largestNumber).contains(number) && !key.isEmpty }
}
