#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Immutable bytes that keep their owner alive: an array, a `Data`, or a buffer of a transport.
///
/// The bytes are copied only when a caller asks for a `Data` or an array.
public struct Bytes: Sendable {
    private enum Storage: Sendable {
        case array([UInt8])
        case data(Data)
        case foreign(any BytesOwner)
    }
    private let storage: Storage
    /// The number of bytes.
    public let count: Int

    /// No bytes.
    public static let empty = Bytes([UInt8]())

    public init(_ array: [UInt8]) {
        storage = .array(array)
        count = array.count
    }

    public init(_ data: Data) {
        storage = .data(data)
        count = data.count
    }

    /// Makes bytes of a foreign buffer, such as NIO's `ByteBuffer`.
    @_spi(TarmacRooms) public init(owner: any BytesOwner) {
        storage = .foreign(owner)
        count = owner.count
    }

    /// Makes bytes of the UTF-8 of a string.
    public init(_ string: some StringProtocol) {
        self.init(Array(string.utf8))
    }

    public var isEmpty: Bool { count == 0 }

    /// Calls `body` with the bytes. The pointer is valid only during the call.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var result: Swift.Result<Result, Failure>?
        lend { pointer in
            do throws(Failure) { result = .success(try body(pointer)) } catch { result = .failure(error) }
        }
        // Every kind of storage calls the closure exactly once.
        guard let result else { preconditionFailure("a BytesOwner did not call its closure") }
        return try result.get()
    }

    // Not inlined: every caller would have its closure three times.
    @inline(never)
    private func lend(_ body: (UnsafeRawBufferPointer) -> Void) {
        switch storage {
        case .array(let array): array.withUnsafeBytes(body)
        case .data(let data): data.withUnsafeBytes(body)
        case .foreign(let owner): owner.withUnsafeBytes(body)
        }
    }

    /// The bytes as `Data`. Bytes that are a `Data` already are not copied.
    public var data: Data {
        switch storage {
        case .data(let data): data
        default: withUnsafeBytes { Data($0) }
        }
    }

    /// The bytes as an array. Bytes that are an array already are not copied.
    public var array: [UInt8] {
        switch storage {
        case .array(let array): array
        default: withUnsafeBytes { [UInt8]($0) }
        }
    }

    /// The bytes in storage whose address does not change while a copy is held. A small `Data` stores its bytes
    /// inline.
    package var pinned: Bytes {
        if case .data(let data) = storage, data.count < 64 { return Bytes([UInt8](data)) }
        return self
    }

    /// Returns at most the first `length` bytes.
    package func prefix(_ length: Int) -> Bytes {
        length >= count ? self : withUnsafeBytes { Bytes([UInt8]($0.prefix(length))) }
    }
}

extension Bytes: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    public subscript(position: Int) -> UInt8 {
        if case .array(let array) = storage { return array[position] }
        precondition(position >= 0 && position < count, "the position is outside the bytes")
        return withUnsafeBytes { $0[position] }
    }

    // Over an array: a subscript for each byte would ask the owner for each.
    public func makeIterator() -> IndexingIterator<[UInt8]> { array.makeIterator() }

    public func withContiguousStorageIfAvailable<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R? {
        try withUnsafeBytes { try $0.withMemoryRebound(to: UInt8.self, body) }
    }
}

extension [UInt8] {
    /// The bytes as ``Bytes/array``: not copied if they are an array already.
    package init(_ bytes: Bytes) { self = bytes.array }
}

extension Data {
    /// The bytes as ``Bytes/data``: not copied if they are a `Data` already.
    package init(_ bytes: Bytes) { self = bytes.data }
}

/// The owner of bytes outside an array or a `Data`.
///
/// `withUnsafeBytes` calls its closure exactly once. While the owner is held, the bytes and their address stay
/// the same.
public protocol BytesOwner: Sendable {
    var count: Int { get }
    func withUnsafeBytes(_ body: (UnsafeRawBufferPointer) -> Void)
}

extension Bytes: Hashable {
    public static func == (left: Bytes, right: Bytes) -> Bool {
        left.count == right.count
            && left.withUnsafeBytes { a in right.withUnsafeBytes { b in a.elementsEqual(b) } }
    }
    public func hash(into hasher: inout Hasher) {
        withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

extension Bytes: CustomStringConvertible {
    /// The size only, because a body may hold secrets.
    public var description: String { "\(count) bytes" }
}
