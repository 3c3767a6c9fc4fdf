extension Options {
    /// How streams of Server-Sent Events reconnect and where they end. Default: ``EventStreamRule/reconnecting``.
    public var events: EventStreamRule? {
        get { self[EventsOption.self] }
        set { self[EventsOption.self] = newValue }
    }

    /// The largest event, line or text of a stream that is read as a sequence, in bytes; a larger one is
    /// `TarmacError(.recordTooLarge)`. Default 16 MiB.
    public var maximumRecordSize: Int? {
        get { self[MaximumRecordSize.self] }
        set { self[MaximumRecordSize.self] = newValue }
    }
}

enum EventsOption: BuiltInOption {
    static let name = "events"
    typealias Value = EventStreamRule
    static var field: WritableKeyPath<OptionValues, EventStreamRule> { \.events }
    static func fault(of value: EventStreamRule) -> String? { value.fault }
}

enum MaximumRecordSize: SizeOption {
    static let name = "maximumRecordSize"
    static var field: WritableKeyPath<OptionValues, Int> { \.maximumRecordSize }
}
