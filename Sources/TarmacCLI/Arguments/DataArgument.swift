#if Tools
import Dispatch
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacJSON

/// `--data`: `@file`, `-` for standard input, or the text itself.
enum DataArgument: Equatable {
    case file(String)
    case standardInput
    case text(String)

    init(_ argument: String) {
        self =
            switch argument {
            case "-", "@-": .standardInput
            case _ where argument.hasPrefix("@"): .file(String(argument.dropFirst()))
            default: .text(argument)
            }
    }

    /// The body, with the media type that its name or text suggests; `-H Content-Type` wins over it.
    func body() throws(TarmacError) -> Body {
        switch self {
        case .file(let path): try .file(path, contentType: Self.type(ofFile: path))
        case .standardInput: .stream(ByteStream { StandardInput() })
        case .text(let text): .text(text, contentType: Self.type(ofText: text))
        }
    }

    static func type(ofText text: String) -> String {
        let isJSON = text.first { !$0.isWhitespace }.map { "{[".contains($0) } == true && (try? JSONDocument(text)) != nil
        return isJSON ? "application/json" : "text/plain; charset=utf-8"
    }

    static func type(ofFile path: String) -> String {
        let ending = path.split(separator: "/").last?.split(separator: ".").dropFirst().last.map { $0.lowercased() }
        return ending.flatMap { types[$0] } ?? "application/octet-stream"
    }

    private static let types = [
        "json": "application/json", "txt": "text/plain", "xml": "application/xml", "html": "text/html", "csv": "text/csv",
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "pdf": "application/pdf", "gz": "application/gzip",
    ]
}

/// Standard input, read on a thread of its own because reading it blocks.
private final class StandardInput: ByteStreamSource {
    private let queue = DispatchQueue(label: "tarmac.standard-input")

    func next() async throws -> Bytes? {
        let bytes = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Descriptor.input.readSome()) }
        }
        guard let bytes else { throw TarmacError(.unreadableFile, phase: .sending, "standard input cannot be read") }
        return bytes.isEmpty ? nil : Bytes(bytes)
    }
}
#endif
