/// What the contexts of one encoding have in common: the nested ones, where they stand, and the first fault.
///
/// Contexts refer to this and this to the nested ones, by number, so that neither writing their text nor freeing them
/// takes stack for a level. ``end()`` parts them.
final class EncodingRun {
    /// A key on the way from the root to a nested container; ways share their beginnings.
    private struct Step {
        let parent: Int
        let key: AnyCodingKey
    }

    private var nested: [EncodingContext] = []
    private var steps: [Step] = []
    private lazy var lowestAddress = StackRoom.lowest()
    /// A misuse seen where nothing can be thrown.
    private(set) var fault: EncodingError?

    var isStackUsedUp: Bool { StackRoom.isUsedUp(lowestAddress) }

    /// Keeps the first fault found where nothing can be thrown; the encoding as a whole throws it.
    func note(_ error: EncodingError) {
        fault = fault ?? error
    }

    // MARK: Ways

    /// The number of a step, to be continued.
    func add(_ key: AnyCodingKey, after parent: Int) -> Int {
        steps.append(Step(parent: parent, key: key))
        return steps.count - 1
    }

    /// The keys up to a step; none for -1.
    func path(to step: Int) -> [any CodingKey] {
        var (path, step): ([any CodingKey], Int) = ([], step)
        while step >= 0 {
            path.append(steps[step].key)
            step = steps[step].parent
        }
        return path.reversed()
    }

    // MARK: Nested contexts

    /// Never part of UTF-8; the four bytes of a context's number follow.
    static let placeholder: UInt8 = 0xFF
    static let placeholderLength = 5

    /// Takes a context in and writes what its text will take the place of.
    func add(_ context: EncodingContext, to output: OutputBuffer) {
        output.append(Self.placeholder)
        for shift in 0..<4 { output.append(UInt8(truncatingIfNeeded: nested.count >> (8 * shift))) }
        nested.append(context)
    }

    /// The context whose placeholder `text` is.
    func context(_ text: Span<UInt8>) -> EncodingContext? {
        guard text.count == Self.placeholderLength, text[0] == Self.placeholder else { return nil }
        let number = Self.number(text, at: 0)
        // After the end, what a type kept finds nothing.
        return number < nested.count ? nested[number] : nil
    }

    private static func number(_ text: Span<UInt8>, at place: Int) -> Int {
        (1...4).reduce(0) { $0 | Int(text.byte(at: place + $1)) << (8 * ($1 - 1)) }
    }

    /// `output` with the text of nested contexts in its places, in one walk.
    func assembled(_ output: OutputBuffer) -> OutputBuffer {
        guard !nested.isEmpty else { return output }
        let whole = OutputBuffer(capacity: nested.reduce(output.count) { $0 + $1.output.count })
        var open = [(text: output, place: 0)]
        while let (text, place) = open.popLast() {
            guard let (number, next) = text.withBytes({ Self.copy($0, from: place, to: whole) }) else { continue }
            open.append((text, next))
            open.append((nested[number].closed(), 0))
        }
        return whole
    }

    /// Copies up to a placeholder; its number, and the place behind it.
    private static func copy(_ text: Span<UInt8>, from start: Int, to whole: OutputBuffer) -> (number: Int, next: Int)? {
        var place = start
        while place < text.count, text.byte(at: place) != placeholder { place += 1 }
        whole.append(text.extracting(start..<place))
        return place < text.count ? (number(text, at: place), place + placeholderLength) : nil
    }

    // MARK: End

    /// Lets go of the contexts, whatever a type still holds.
    func end() {
        nested = []
    }
}
