/// Converts UTF-16 and UTF-32 to UTF-8. Invalid input is an error.
enum UnicodeTranscoder {
    static func utf16(_ text: UnsafeRawBufferPointer, _ order: CharacterEncoding.ByteOrder) -> Transcoded {
        var output = Output(reserving: text.count / 2 * 3)
        var units = Units<UInt16>(text, order)
        var parser = Unicode.UTF16.ForwardParser()
        var offset = 0
        while true {
            switch parser.parseScalar(from: &units) {
            case .valid(let encoded):
                output.append(Unicode.UTF16.decode(encoded))
                offset += encoded.count * 2
            case .emptyInput: return units.isWhole ? output.finished : .invalid(offset: offset)
            case .error: return .invalid(offset: offset)
            }
        }
    }

    static func utf32(_ text: UnsafeRawBufferPointer, _ order: CharacterEncoding.ByteOrder) -> Transcoded {
        var output = Output(reserving: text.count)
        var units = Units<UInt32>(text, order)
        var offset = 0
        while let unit = units.next() {
            guard let scalar = Unicode.Scalar(unit) else { return .invalid(offset: offset) }
            output.append(scalar)
            offset += 4
        }
        return units.isWhole ? output.finished : .invalid(offset: offset)
    }

    /// Returns the number of bytes at the beginning that are valid UTF-8.
    static func validUTF8Prefix(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        var bytes = text.makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        var length = 0
        while case .valid(let encoded) = parser.parseScalar(from: &bytes) { length += encoded.count }
        return length
    }

    private struct Output {
        private var bytes: [UInt8] = []

        init(reserving capacity: Int) { bytes.reserveCapacity(capacity) }

        mutating func append(_ scalar: Unicode.Scalar) {
            if scalar.isASCII { bytes.append(UInt8(truncatingIfNeeded: scalar.value)) } else { bytes += UTF8.encode(scalar) ?? .init() }
        }

        var finished: Transcoded { .utf8(Bytes(bytes)) }
    }

    /// The code units of a text in a byte order, without an incomplete unit at the end.
    private struct Units<Unit: FixedWidthInteger>: IteratorProtocol {
        private let text: UnsafeRawBufferPointer
        private let order: CharacterEncoding.ByteOrder
        private var offset = 0

        init(_ text: UnsafeRawBufferPointer, _ order: CharacterEncoding.ByteOrder) {
            self.text = text
            self.order = order
        }

        var isWhole: Bool { text.count.isMultiple(of: MemoryLayout<Unit>.size) }

        mutating func next() -> Unit? {
            guard text.count - offset >= MemoryLayout<Unit>.size else { return nil }
            defer { offset += MemoryLayout<Unit>.size }
            let unit = text.loadUnaligned(fromByteOffset: offset, as: Unit.self)
            return order == .little ? Unit(littleEndian: unit) : Unit(bigEndian: unit)
        }
    }
}

/// Converts windows-1252 to UTF-8. Every byte is valid (WHATWG Encoding, index windows-1252).
enum Windows1252 {
    static func utf8(_ text: UnsafeRawBufferPointer) -> Bytes {
        var output: [UInt8] = []
        output.reserveCapacity(text.count + text.count / 4)
        for byte in text {
            if byte < 0x80 { output.append(byte) } else { output += UTF8.encode(scalar(byte)) ?? .init() }
        }
        return Bytes(output)
    }

    private static func scalar(_ byte: UInt8) -> Unicode.Scalar {
        (0x80...0x9F).contains(byte) ? upper[Int(byte) - 0x80] : Unicode.Scalar(byte)
    }

    private static let upper: [Unicode.Scalar] = [
        "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}",
        "\u{2C6}", "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}",
        "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}",
        "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}", "\u{153}", "\u{9D}", "\u{17E}", "\u{178}",
    ]
}
