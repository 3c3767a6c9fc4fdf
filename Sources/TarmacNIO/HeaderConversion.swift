#if NIO
import HTTPTypes
import NIOHTTP1
import TarmacCore

/// Converts NIO's response fields to those of HTTPTypes and keeps the names. A server repeats the same names in
/// the same order, and checking and lower-casing them again would be most of the work.
struct HeaderConversion {
    /// The maximum size of the fields of a head or of trailers, counted as lines of HTTP/1.1.
    static let limit = 65_536

    private var known: [HTTPField.Name] = []

    /// Returns the fields in the order of arrival, with repeated fields separate. A field with an invalid name
    /// is omitted, and so is one that would be sent back, or followed, as another one.
    mutating func fields(_ headers: HTTPHeaders, isHTTP2: Bool = false) -> HTTPFields {
        var fields = HTTPFields()
        fields.reserveCapacity(headers.count)
        var position = 0
        for (rawName, value) in headers {
            defer { position += 1 }
            // NIO adds this field so that an HTTP/2 response looks like one of HTTP/1.
            if isHTTP2, rawName == "transfer-encoding" { continue }
            guard let name = name(rawName, at: position), !Self.isDamaged(name.canonicalName, value) else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        return fields
    }

    /// Whether a value that is sent again, or leads to another request, has bytes that are not UTF-8. NIO has replaced them, so that it
    /// would be another value.
    private static func isDamaged(_ name: String, _ value: String) -> Bool {
        // Nearly all names have another length.
        switch name.utf8.count {
        case 4, 10, 16: damaging.contains(name) && value.unicodeScalars.contains("\u{FFFD}")
        default: false
        }
    }

    private static let damaging: Set<String> = ["etag", "link", "set-cookie", "content-location"]

    private mutating func name(_ rawName: String, at position: Int) -> HTTPField.Name? {
        if position < known.count, known[position].rawName == rawName { return known[position] }
        guard let name = HTTPField.Name(rawName) else { return nil }
        if position < known.count { known[position] = name } else if position < 32 { known.append(name) }
        return name
    }
}

extension HeaderConversion {
    mutating func head(_ head: HTTPResponseHead) -> ResponseHead {
        let headers = fields(head.headers, isHTTP2: head.version.major == 2)
        return ResponseHead(
            status: HTTPResponse.Status(code: Int(head.status.code), reasonPhrase: head.status.reasonPhrase),
            headers: headers, version: ProtocolVersion(major: head.version.major, minor: head.version.minor),
            announcedLength: headers[.contentLength].flatMap { Int($0) })
    }
}

extension HTTPHeaders {
    /// Whether the fields are within the limit. NIO's own limits are larger.
    func isWithinLimit(isHTTP2: Bool) -> Bool {
        var size = 0
        // NIO adds a field to HTTP/2, as in `HeaderConversion`.
        for (name, value) in self where !isHTTP2 || name != "transfer-encoding" {
            // A line has four more bytes: the colon, a blank and the line's end.
            size += name.utf8.count + value.utf8.count + 4
        }
        return size <= HeaderConversion.limit
    }

    /// The first transfer coding besides `chunked`, which is applied once (RFC 9112 §6.1). No request accepts another one
    /// (RFC 9110 §10.1.4), so the body could not be read. RFC 2616 had `identity` for none.
    var unknownTransferCoding: String? {
        let lines = self["transfer-encoding"]
        guard !lines.isEmpty, lines != ["chunked"] else { return nil }
        // NIO does not see chunks behind an empty element.
        if lines.contains(where: \.hasEmptyElement) { return "an empty one" }
        var codings = lines.flatMap { $0.lowercased().split { ", \t".contains($0) } }
        if codings.count == 1, codings[0] == "identity" { return nil }
        if codings.first == "chunked" { codings.removeFirst() }
        return codings.first.map { $0 == "chunked" ? "chunked twice" : "\"\($0.prefix(40))\"" }
    }

    /// Whether Location has bytes that are not UTF-8. NIO replaces them over HTTP/2, and a redirect would lead elsewhere.
    var hasDamagedLocation: Bool { self["location"].contains { $0.unicodeScalars.contains("\u{FFFD}") } }
}

extension String {
    /// Whether an element of a list is empty (RFC 9110 §5.6.1), or the whole of it.
    fileprivate var hasEmptyElement: Bool {
        split(separator: ",", omittingEmptySubsequences: false).contains { $0.allSatisfy(" \t".contains) }
    }
}
#endif
