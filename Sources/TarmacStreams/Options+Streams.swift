@_spi(TarmacRooms) public import TarmacCore

extension Options {
    /// The rule for how streams of Server-Sent Events reconnect and end. Default: ``EventStreamRule/reconnecting``.
    public var events: EventStreamRule? {
        get { self[Settings.events] }
        set { self[Settings.events] = newValue }
    }

    /// The largest event, line or text of a stream that is read as a sequence, in bytes. A larger one throws
    /// `TarmacError(.recordTooLarge)`. Default: 16 MiB.
    public var maximumRecordSize: Int? {
        get { self[Settings.maximumRecordSize] }
        set { self[Settings.maximumRecordSize] = newValue }
    }
}

extension Settings {
    package static let events = Setting<EventStreamRule>("events", default: .reconnecting) {
        $0.fault = { $0.fault }
    }

    package static let maximumRecordSize = Setting("maximumRecordSize", default: 16 << 20) {
        $0.fault = { value in value < 0 ? "it must not be negative" : nil }
        $0.describe = { value in "\(value) bytes" }
    }
}
