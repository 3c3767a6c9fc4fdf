#if !canImport(Darwin)
#if canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#else
internal import Glibc
#endif

/// Converts text with `iconv` of the C library.
enum PlatformTranscoder {
    /// - Parameter name: the encoding's name in the WHATWG Encoding Standard.
    static func utf8(_ text: UnsafeRawBufferPointer, from name: String) -> Transcoded {
        guard let converter = open(name) else { return .unavailable }
        defer { iconv_close(converter) }
        return Conversion(text, converter).run()
    }

    /// The glibc names of the supersets that the Standard means.
    private static let supersets = [
        "big5": "BIG5-HKSCS", "shift_jis": "CP932", "euc-jp": "EUC-JP-MS", "euc-kr": "CP949", "windows-874": "CP874",
        "x-mac-cyrillic": "MAC-CYRILLIC",
    ]

    private static func open(_ name: String) -> iconv_t? {
        // `iconv_open` reports a failure as the pointer −1.
        let failure = iconv_t(bitPattern: -1)
        for candidate in [supersets[name], name] {
            guard let candidate, let converter = iconv_open("UTF-8", candidate), converter != failure else { continue }
            return converter
        }
        return nil
    }
}

private struct Conversion: ~Copyable {
    private let converter: iconv_t
    private let start: UnsafeMutablePointer<CChar>?
    private var next: UnsafeMutablePointer<CChar>?
    private var left: Int
    private var output: GrowingBuffer

    init(_ text: UnsafeRawBufferPointer, _ converter: iconv_t) {
        self.converter = converter
        // The parameter of iconv lacks a `const`. iconv does not write to its input.
        start = UnsafeMutablePointer(mutating: text.bindMemory(to: CChar.self).baseAddress)
        next = start
        left = text.count
        output = GrowingBuffer(capacity: text.count + text.count / 2 + 16, ceiling: .max)
    }

    consuming func run() -> Transcoded {
        while step(flushing: false) == -1 {
            // Every error but a full output means an invalid byte, or a character that the end of the text cuts
            // off.
            guard errno == E2BIG else { return .invalid(offset: offset) }
            let room = output.free.count
            output.makeRoom(atLeast: room + 1)
        }
        // Some converters hold a character back, because an accent could follow.
        output.makeRoom(atLeast: Self.longestStep)
        guard step(flushing: true) != -1 else { return .invalid(offset: offset) }
        return .utf8(output.finish())
    }

    /// A size that is larger than the text any converter holds back.
    private static let longestStep = 32

    private var offset: Int? {
        guard let start, let next else { return nil }
        return next - start
    }

    private mutating func step(flushing: Bool) -> Int {
        let free = output.free
        var target = free.bindMemory(to: CChar.self).baseAddress
        var room = free.count
        let status = flushing ? iconv(converter, nil, nil, &target, &room) : iconv(converter, &next, &left, &target, &room)
        output.fill(free.count - room)
        return status == -1 ? -1 : 0
    }
}
#endif
