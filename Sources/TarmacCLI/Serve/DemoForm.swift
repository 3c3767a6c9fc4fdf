#if Tools
import Foundation

/// The parts that the demo server reads of a multipart form (pure; RFC 7578).
enum DemoForm {
    struct Part: Equatable {
        var name: String
        var fileName: String?
        var type: String
        var count: Int
    }

    /// The parts in their order; nothing when it is no such form.
    static func parts(of body: [UInt8], type: String) -> [Part]? {
        guard type.hasPrefix("multipart/form-data"), let boundary = parameter("boundary", of: type) else { return nil }
        // Each delimiter begins a line, the first one too.
        let (data, delimiter) = (Data("\r\n".utf8 + body), Data("\r\n--\(boundary)".utf8))
        var parts: [Part] = []
        var start = data.range(of: delimiter)?.upperBound
        while let begin = start, let end = data[begin...].range(of: delimiter) {
            guard let part = part(data[begin..<end.lowerBound]) else { return nil }
            parts.append(part)
            start = end.upperBound
        }
        return parts.isEmpty ? nil : parts
    }

    private static func part(_ bytes: Data) -> Part? {
        guard let blank = bytes.range(of: Data("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: bytes[..<blank.lowerBound], as: UTF8.self)
        guard let name = parameter("name", of: head) else { return nil }
        let type = head.range(of: "Content-Type: ").map { String(head[$0.upperBound...].prefix { !$0.isNewline }) }
        return Part(name: name, fileName: parameter("filename", of: head), type: type ?? "text/plain", count: bytes.endIndex - blank.upperBound)
    }

    /// The value of `name=value` or `name="value"`.
    private static func parameter(_ name: String, of text: String) -> String? {
        guard let found = text.range(of: "; \(name)=") else { return nil }
        let rest = text[found.upperBound...]
        if rest.first == "\"" { return String(rest.dropFirst().prefix { $0 != "\"" }) }
        return String(rest.prefix { $0 != ";" && !$0.isNewline })
    }
}
#endif
