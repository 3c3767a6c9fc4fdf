#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
@_spi(TarmacRooms) public import TarmacCore

/// The parts of a multipart/form-data body (RFC 7578), encoded as browsers encode them.
///
/// ```swift
/// try await client.send(Upload(.multipart([.field("title", "Sunrise"), .file("photo", "/tmp/sunrise.jpg")]), to: PostPhoto()))
/// ```
/// Files and streams are read while they are sent; nothing is copied to a temporary file. The length of the body is
/// known unless the length of a stream is not.
public enum Multipart {
    /// A part of the body.
    public struct Part: Sendable {
        enum Content: Sendable {
            case bytes(Bytes)
            case file(path: String, length: Int64)
            case stream(ByteStream, length: Int64?, isReplayable: Bool)
        }
        let name: String
        /// The name as it is sent, if the form has another character encoding than UTF-8.
        var nameBytes: [UInt8]?
        let fileName: String?
        let contentType: String?
        let content: Content

        /// Returns a form field. Line ends in name and value become CRLF, as in browsers.
        public static func field(_ name: String, _ value: String) -> Part {
            Part(name: name, fileName: nil, contentType: nil, content: .bytes(Bytes(FormName.normalized(Array(value.utf8)))))
        }

        /// Returns a file part. The file is read while it is sent.
        ///
        /// - Parameters:
        ///   - name: The name of the form field.
        ///   - path: The path of the file.
        ///   - fileName: The file name sent to the server. Default: the name of the file without its folders.
        ///   - contentType: The media type. Default: by the extension of the file name, otherwise
        ///     `application/octet-stream`.
        /// - Throws: `TarmacError(.unreadableFile)` if there is no readable regular file at `path`.
        public static func file(_ name: String, _ path: String, fileName: String? = nil, contentType: String? = nil) throws(TarmacError) -> Part {
            let shown = fileName ?? FilePlace.name(of: path)
            return Part(
                name: name, fileName: shown, contentType: contentType ?? MediaType.guessed(for: shown),
                content: .file(path: path, length: try Body.file(path).length ?? 0))
        }

        /// Returns a file part with bytes in memory.
        public static func data(_ name: String, _ data: Data, fileName: String, contentType: String? = nil) -> Part {
            Part(name: name, fileName: fileName, contentType: contentType ?? MediaType.guessed(for: fileName), content: .bytes(Bytes(data)))
        }

        /// Returns a file part with the chunks of a stream.
        ///
        /// - Parameters:
        ///   - name: The name of the form field.
        ///   - stream: The chunks.
        ///   - length: The number of bytes. Without it, the body is sent without a length.
        ///   - isReplayable: `true` only if every iteration yields the same bytes. Default: `false`.
        ///   - fileName: The file name sent to the server.
        ///   - contentType: The media type. Default: by the extension of the file name, otherwise `application/octet-stream`.
        public static func stream(
            _ name: String, _ stream: ByteStream, length: Int64? = nil, isReplayable: Bool = false, fileName: String, contentType: String? = nil
        ) -> Part {
            Part(
                name: name, fileName: fileName, contentType: contentType ?? MediaType.guessed(for: fileName),
                content: .stream(stream, length: length, isReplayable: isReplayable))
        }

        /// Returns the fields of an encoded form (WHATWG URL §5.1).
        static func fields(_ form: String) -> [Part] {
            form.utf8.split(separator: UInt8(ascii: "&")).map { pair in
                let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                    .map { PercentEncoding.decoded($0, plusIsBlank: true) }
                return Part(
                    name: String(decoding: halves[0], as: UTF8.self), nameBytes: halves[0], fileName: nil, contentType: nil,
                    content: .bytes(Bytes(FormName.normalized(halves.count > 1 ? halves[1] : []))))
            }
        }

        /// The header lines of the part, without the delimiter.
        var head: [UInt8] {
            var head = "Content-Disposition: form-data; name=\"".utf8 + FormName.escaped(FormName.normalized(nameBytes ?? Array(name.utf8)))
            if let fileName { head += "\"; filename=\"".utf8 + FormName.escaped(Array(fileName.utf8)) }
            head += contentType.map { "\"\r\nContent-Type: \($0)" }.map { Array($0.utf8) } ?? Array("\"".utf8)
            return head + "\r\n\r\n".utf8
        }

        /// The part without its content, such as `photo: 1.jpg, image/jpeg, 20000 bytes`.
        var outline: String {
            let size = length.map { "\($0) bytes" } ?? "unknown length"
            return "\(name): " + [fileName, contentType, size].compactMap { $0 }.joined(separator: ", ")
        }

        var length: Int64? {
            switch content {
            case .bytes(let bytes): Int64(bytes.count)
            case .file(_, let length): length
            case .stream(_, let length, _): length
            }
        }

        var isReplayable: Bool { if case .stream(_, _, let isReplayable) = content { isReplayable } else { true } }
    }
}

/// Names in a form, encoded as the HTML standard says (multipart/form-data encoding algorithm).
enum FormName {
    /// Returns the text with each lone CR or LF replaced by CRLF.
    static func normalized(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var previous: UInt8 = 0
        for byte in text {
            if byte == 0x0A, previous != 0x0D { result.append(0x0D) }
            if previous == 0x0D, byte != 0x0A { result.append(0x0A) }
            result.append(byte)
            previous = byte
        }
        if previous == 0x0D { result.append(0x0A) }
        return result
    }

    /// Returns the text with quotes and line ends percent-encoded, and all else unchanged.
    static func escaped(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), 0x0D, 0x0A: PercentEncoding.append(byte, to: &result)
            default: result.append(byte)
            }
        }
        return result
    }
}
