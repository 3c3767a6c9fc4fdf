#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacCore
import TarmacJSON
import TarmacSupport

/// The encoding of an entry for stores on a disk. It contains a version, and damaged bytes are refused.
extension CacheEntry {
    private static let version: UInt8 = 1

    /// The entry as bytes. They contain the whole URL and all fields; treat them as a secret.
    public var encoded: [UInt8] {
        var writer = EntryWriter()
        writer.write(byte: Self.version)
        writer.write(number: id)
        for text in [key.service, key.environment, key.principal, key.method, key.url, key.arguments, variant, shownURL] { writer.write(text) }
        let gaps = part?.gaps ?? []
        writer.write(
            byte: (key.isDurable ? 1 : 0) | (isDurable ? 2 : 0) | (isInvalidated ? 4 : 0) | (part != nil ? 8 : 0) | (terms != nil ? 16 : 0)
                | (gaps.isEmpty ? 0 : 32))
        writer.write(number: UInt64(status.code))
        writer.write(status.reasonPhrase)
        writer.write(number: requestDate.timeIntervalSince1970.bitPattern)
        writer.write(number: responseDate.timeIntervalSince1970.bitPattern)
        writer.write(byte: form.rawValue)
        writer.write(number: UInt64(bitPattern: bodyLength))
        if let part { for number in [part.offset, part.total] { writer.write(number: UInt64(bitPattern: number)) } }
        if !gaps.isEmpty {
            writer.write(number: UInt64(gaps.count))
            for gap in gaps { for number in [gap.lowerBound, gap.upperBound] { writer.write(number: UInt64(bitPattern: number)) } }
        }
        if let terms {
            writer.write(number: UInt64(bitPattern: Int64(terms.version)))
            for text in [terms.sensitiveData, terms.appVersion] { writer.write(text) }
        }
        writer.write(tags.ordered())
        writer.write(headers.flatMap { [$0.name.rawName, $0.value] })
        return writer.bytes
    }

    /// Creates the entry from its encoded bytes, or returns `nil` if they are damaged or have another version.
    public init?(encoded bytes: some Collection<UInt8>) {
        var reader = EntryReader(Array(bytes))
        guard reader.byte() == Self.version, let id = reader.number(), let service = reader.text(), let environment = reader.text(),
            let principal = reader.text(), let method = reader.text(), let url = reader.text(), let arguments = reader.text(),
            let variant = reader.text(), let shownURL = reader.text(), let flags = reader.byte(),
            let code = reader.number(), (100...999).contains(code), let reason = reader.text(), let requested = reader.number(),
            let responded = reader.number(), let form = reader.byte().flatMap(Form.init), let length = reader.signed(), length >= 0
        else { return nil }
        var part: Part?
        if flags & 8 != 0 {
            guard let offset = reader.signed(), let total = reader.signed(), offset >= 0, length <= total, offset <= total - length else { return nil }
            part = Part(offset: offset, total: total)
        }
        if flags & 32 != 0 {
            guard let known = part, let gaps = reader.gaps(in: known, length) else { return nil }
            part?.gaps = gaps
        }
        var terms: Terms?
        if flags & 16 != 0 {
            guard let version = reader.signed().flatMap(Int.init(exactly:)), let sensitive = reader.text(), let app = reader.text() else { return nil }
            terms = Terms(version: version, sensitiveData: sensitive, appVersion: app)
        }
        guard let tagCount = reader.count(), let tags = reader.texts(tagCount), let count = reader.count(), count.isMultiple(of: 2) else { return nil }
        var headers = HTTPFields()
        headers.reserveCapacity(min(count / 2, HTTPFields.sourceLimit))
        for _ in 0..<count / 2 {
            guard let name = reader.text().flatMap({ HTTPField.Name($0) }), let value = reader.text() else { return nil }
            do { try headers.add(HTTPField(name: name, value: value)) } catch { return nil }
        }
        guard reader.isAtEnd else { return nil }
        self.init(
            id: id,
            key: CacheKey(
                service: service, environment: environment, principal: principal, method: method, url: url, arguments: arguments,
                isDurable: flags & 1 != 0),
            variant: variant, shownURL: shownURL, status: HTTPResponse.Status(code: Int(code), reasonPhrase: reason), headers: headers,
            requestDate: Date(storedSeconds: Double(bitPattern: requested)), responseDate: Date(storedSeconds: Double(bitPattern: responded)),
            form: form, part: part, bodyLength: length, terms: terms, tags: Set(tags), isInvalidated: flags & 4 != 0, isDurable: flags & 2 != 0)
    }
}

/// Numbers of eight bytes in little-endian order, and texts after their length.
private struct EntryWriter {
    private(set) var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(512) }

    mutating func write(byte: UInt8) { bytes.append(byte) }

    mutating func write(number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func write(_ text: String) {
        withUnsafeBytes(of: UInt32(clamping: text.utf8.count).littleEndian) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: text.utf8)
    }

    mutating func write(_ list: [String]) {
        write(number: UInt64(list.count))
        for text in list { write(text) }
    }
}

private struct EntryReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { place == bytes.count }

    private mutating func take(_ count: Int) -> Range<Int>? {
        guard count >= 0, count <= bytes.count - place else { return nil }
        defer { place += count }
        return place..<place + count
    }

    /// Reads a number of the type's size in little-endian order.
    private mutating func load<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type) -> Number? {
        guard let range = take(MemoryLayout<Number>.size) else { return nil }
        return bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: range.lowerBound, as: type)) }
    }

    mutating func byte() -> UInt8? { load(UInt8.self) }
    mutating func number() -> UInt64? { load(UInt64.self) }
    mutating func signed() -> Int64? { number().map { Int64(bitPattern: $0) } }

    mutating func text() -> String? {
        guard let length = load(UInt32.self).flatMap(Int.init(exactly:)), let range = take(length) else { return nil }
        return bytes.withUnsafeBufferPointer { Self.text(UnsafeBufferPointer(rebasing: $0[range])) }
    }

    /// Nearly all texts are ASCII, which needs no validation.
    private static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        var seen: UInt8 = 0
        for byte in bytes { seen |= byte }
        return seen < 0x80 ? String(decoding: bytes, as: UTF8.self) : String(validUTF8: UnsafeRawBufferPointer(bytes))
    }

    mutating func texts(_ count: Int) -> [String]? {
        var texts: [String] = []
        texts.reserveCapacity(count)
        for _ in 0..<count {
            guard let text = text() else { return nil }
            texts.append(text)
        }
        return texts
    }

    /// Reads the gaps between the stored bytes, or returns `nil` if they cannot be those of this part.
    mutating func gaps(in part: CacheEntry.Part, _ length: Int64) -> [Range<Int64>]? {
        guard let count = count() else { return nil }
        var gaps: [Range<Int64>] = [], end = part.offset, stored: Int64 = 0
        for _ in 0..<count {
            guard let lower = signed(), let upper = signed(), end < lower, lower < upper, upper < part.total else { return nil }
            stored += lower - end
            end = upper
            gaps.append(lower..<upper)
        }
        // At least one byte follows the last gap.
        return stored < length && length - stored <= part.total - end ? gaps : nil
    }

    /// Reads the number of texts that follow. Each text has a length of at least four bytes, so a wrong count costs
    /// nothing.
    mutating func count() -> Int? { number().flatMap { $0 <= UInt64((bytes.count - place) / 4) ? Int($0) : nil } }
}
