#if Tools
import Tarmac
import TarmacCore
import TarmacJSON

/// Prints a body on standard output as its style says.
struct BodyPrinter {
    let terminal: Terminal

    func print(_ body: ByteStream, mediaType: MediaType?) async throws {
        var chunks = body.makeAsyncIterator()
        guard let first = try await chunks.next() else { return }
        let style = BodyStyle(isTerminal: terminal.showsOutput, mediaType: mediaType, beginning: first)
        switch style {
        case .raw: try await copy(first, chunks)
        case .withheld: Console.note(terminal.errorPalette.paint(Self.withheld, .yellow))
        case .json, .text: try await show(first, chunks, style)
        }
    }

    private static let withheld = "The body is binary: write it with --output FILE, or send it into a pipe."

    private func copy(_ first: Bytes, _ rest: ByteStream.Iterator) async throws {
        var rest = rest
        var chunk = first
        try Console.write(chunk)
        while let next = try await rest.next() {
            chunk = next
            try Console.write(chunk)
        }
        let endsLine = chunk.withUnsafeBytes { $0.last == UInt8(ascii: "\n") }
        if terminal.showsOutput, !endsLine { try Console.line() }
    }

    private func show(_ first: Bytes, _ rest: ByteStream.Iterator, _ style: BodyStyle) async throws {
        var rest = rest
        var collector = ByteCollector(limit: BodyStyle.collectedLimit)
        try collector.append(first)
        while let chunk = try await rest.next() { try collector.append(chunk) }
        try Console.line(try Self.text(collector.finish(), style, terminal.palette))
    }

    /// The shown text of a whole body.
    static func text(_ bytes: Bytes, _ style: BodyStyle, _ palette: Palette) throws -> String {
        if case .text(let charset) = style { return try TextDecoder.decode(bytes, charset: charset) }
        let utf8 = try TextDecoder.utf8(bytes, charset: nil)
        let isJSON = style == .json && (try? JSONDocument(utf8.data)) != nil
        return utf8.withUnsafeBytes { isJSON ? JSONLayout.text($0, palette: palette) : String(decoding: $0, as: UTF8.self) }
    }
}
#endif
