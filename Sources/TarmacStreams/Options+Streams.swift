@_spi(TarmacRooms) public import TarmacCore

extension Options {
    /// The rule for how streams of Server-Sent Events reconnect and end. Default: ``EventStreamRule/reconnecting``.
    public var events: EventStreamRule? {
        get { self[EventsOption.self] }
        set { self[EventsOption.self] = newValue }
    }

    /// The largest event, line or text of a stream that is read as a sequence, in bytes. A larger one throws
    /// `TarmacError(.recordTooLarge)`. Default: 16 MiB.
    public var maximumRecordSize: Int? {
        get { self[MaximumRecordSize.self] }
        set { self[MaximumRecordSize.self] = newValue }
    }
}

package enum EventsOption: OptionKey {
    package static let name = "events"
    package static var defaultValue: EventStreamRule { EventStreamRule.reconnecting }
    package static func fault(of value: EventStreamRule) -> String? { value.fault }
}

package enum MaximumRecordSize: OptionKey {
    package static let name = "maximumRecordSize"
    package static var defaultValue: Int { 16 << 20 }
    package static func fault(of value: Int) -> String? { value < 0 ? "it must not be negative" : nil }
    package static func describe(_ value: Int) -> String { "\(value) bytes" }
}
