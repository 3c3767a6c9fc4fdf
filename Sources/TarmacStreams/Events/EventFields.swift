import TarmacCore

/// Assembles the lines of an event stream into events (WHATWG HTML §9.2.6; pure).
struct EventFields: Sendable {
    private let limit: Int
    private var data: [UInt8] = []
    private var hasData = false
    private var name = ""
    /// The id of the event being read; it counts once its blank line has arrived.
    private var idBuffer: String
    private var isFirstLine = true
    private(set) var lastEventID: String
    private(set) var reconnectionTime: Duration?

    init(limit: Int, lastEventID: String, reconnectionTime: Duration? = nil) {
        self.limit = limit
        self.lastEventID = lastEventID
        self.reconnectionTime = reconnectionTime
        // As in browsers: an event without an id on a new connection does not reset the last one.
        idBuffer = lastEventID
    }

    /// Adds a line without its end; returns the event that it completes.
    mutating func take(_ whole: UnsafeRawBufferPointer) throws(TarmacError) -> ServerSentEvent? {
        let line = strippingMark(whole)
        if line.isEmpty { return dispatch() }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            try process(line, value: UnsafeRawBufferPointer(rebasing: line[line.count...]))
            return nil
        }
        if colon == 0 { return nil }
        let hasSpace = colon + 1 < line.count && line[colon + 1] == UInt8(ascii: " ")
        try process(
            UnsafeRawBufferPointer(rebasing: line[..<colon]), value: UnsafeRawBufferPointer(rebasing: line[(colon + (hasSpace ? 2 : 1))...]))
        return nil
    }

    /// Removes a byte order mark at the start of the first line.
    private mutating func strippingMark(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard isFirstLine else { return line }
        isFirstLine = false
        return line.starts(with: Self.byteOrderMark) ? UnsafeRawBufferPointer(rebasing: line[3...]) : line
    }

    private mutating func process(_ field: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) throws(TarmacError) {
        if field.elementsEqual(Self.dataField) {
            try append(value)
        } else if field.elementsEqual(Self.eventField) {
            name = String(decoding: value, as: UTF8.self)
        } else if field.elementsEqual(Self.idField) {
            if !value.contains(0) { idBuffer = String(decoding: value, as: UTF8.self) }
        } else if field.elementsEqual(Self.retryField) {
            if let time = Self.milliseconds(value) { reconnectionTime = time }
        }
    }

    private mutating func append(_ value: UnsafeRawBufferPointer) throws(TarmacError) {
        guard data.count + value.count < limit || !hasData && value.count <= limit else { throw .recordTooLarge(limit: limit) }
        if hasData { data.append(LineSplitter.lineFeed) }
        data.append(contentsOf: value)
        hasData = true
    }

    private mutating func dispatch() -> ServerSentEvent? {
        lastEventID = idBuffer
        defer {
            name = ""
            hasData = false
            // The memory of a large event is not kept for the next.
            data.removeAll(keepingCapacity: data.capacity <= 65_536)
        }
        guard hasData else { return nil }
        return ServerSentEvent(name: name.isEmpty ? "message" : name, data: String(decoding: data, as: UTF8.self), lastEventID: lastEventID)
    }

    /// Parses ASCII digits. A number that overflows counts as the longest pause.
    private static func milliseconds(_ value: UnsafeRawBufferPointer) -> Duration? {
        guard !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return min(.milliseconds(Int(String(decoding: value, as: UTF8.self)) ?? .max), ReconnectPolicy.longest)
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let dataField = Array("data".utf8)
    private static let eventField = Array("event".utf8)
    private static let idField = Array("id".utf8)
    private static let retryField = Array("retry".utf8)
}
