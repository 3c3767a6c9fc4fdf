/// The shared state of the contexts of one encoding: the nested ones, their places, and the first fault.
///
/// Contexts refer to the run, and the run to the nested ones by number, so that writing or releasing them takes no
/// stack for each level. ``end()`` separates them.
final class EncodingRun {
    /// A nested context, or its text in ``finished`` once no code can write to it.
    private struct Entry {
        var context: EncodingContext?
        var text = 0..<0
        /// Whether the text is that of a requested container, which may be requested again.
        var isContainer = false
        /// The minimum length of the text before the context is finished.
        var leastLength = 0
    }

    private var nested: [Entry] = []
    /// The numbers of the contexts that are not finished.
    private(set) var unfinished: [Int] = []
    /// The number of unfinished contexts at which they are checked.
    private var unfinishedLimit = fewest
    private static let fewest = 32
    /// The texts of the finished nested contexts.
    private(set) var finished = OutputBuffer()
    /// The number of its bytes without a reference.
    private var dead = 0
    /// The length up to which a text is cheaper to copy than its context is to keep.
    private static let shortLength = 1024
    /// A misuse that was found where no error can be thrown.
    private(set) var fault: EncodingError?

    /// Notes the first fault found where no error can be thrown; the encoding throws it at the end.
    func note(_ error: EncodingError) {
        fault = fault ?? error
    }

    // MARK: Nested contexts

    /// A byte that is never part of UTF-8; the four bytes of a context's number follow.
    static let placeholder: UInt8 = 0xFF
    static let placeholderLength = 5

    /// Adds a context and writes the placeholder for its text.
    func add(_ context: EncodingContext, to output: OutputBuffer) {
        output.append(Self.placeholder)
        for shift in 0..<4 { output.append(UInt8(truncatingIfNeeded: nested.count >> (8 * shift))) }
        unfinished.append(nested.count)
        nested.append(Entry(context: context))
    }

    /// Returns the number of the context if `text` is its placeholder.
    static func number(_ text: Span<UInt8>) -> Int? {
        text.count == placeholderLength && text[0] == placeholder ? number(text, at: 0) : nil
    }

    /// Returns a context that is not finished.
    func context(_ number: Int) -> EncodingContext? { nested[number].context }

    /// Returns the range of a finished context's text, if that is a container.
    func finishedContainer(_ number: Int) -> Range<Int>? { nested[number].isContainer ? nested[number].text : nil }

    /// Continues a finished context, which has copied its text. A long one is not finished again before it is twice as
    /// long, so that the copies of a repeatedly requested container take time proportional to its text.
    func revive(_ number: Int, as context: EncodingContext) {
        let length = nested[number].text.count
        nested[number] = Entry(context: context, leastLength: length > Self.shortLength ? 2 * length : 0)
        unfinished.append(number)
        dead += length
        if 2 * dead > finished.count, dead >= nested.count { dropDead() }
    }

    /// Removes the texts without a reference.
    private func dropDead() {
        let kept = OutputBuffer(capacity: finished.count - dead)
        for number in nested.indices where !nested[number].text.isEmpty {
            let start = kept.count
            finished.withBytes { kept.append($0.extracting(nested[number].text)) }
            nested[number].text = start..<kept.count
        }
        finished = kept
        dead = 0
    }

    /// Keeps only the text of contexts without references, so that many small nested containers in a row take no more
    /// memory than their text. It checks only when there are twice as many as the last check left.
    func finishIdleContexts() {
        guard unfinished.count >= unfinishedLimit else { return }
        unfinished.removeAll { finish($0) }
        unfinishedLimit = max(Self.fewest, 2 * unfinished.count)
    }

    private func finish(_ number: Int) -> Bool {
        guard isKnownUniquelyReferenced(&nested[number].context), let context = nested[number].context, context.isIdle,
            context.output.count >= nested[number].leastLength
        else { return false }
        let (start, isContainer) = (finished.count, context.ownContainer != nil)
        context.closed().withBytes { finished.append($0) }
        nested[number] = Entry(text: start..<finished.count, isContainer: isContainer)
        return true
    }

    private static func number(_ text: Span<UInt8>, at place: Int) -> Int {
        (1...4).reduce(0) { $0 | Int(text.byte(at: place + $1)) << (8 * ($1 - 1)) }
    }

    /// Returns `output` with the texts of nested contexts in their places, in one pass.
    func assembled(_ output: OutputBuffer) -> OutputBuffer {
        guard !nested.isEmpty else { return output }
        let length = unfinished.reduce(output.count + finished.count - dead) { $0 + (nested[$1].context?.output.count ?? 0) }
        let whole = OutputBuffer(capacity: length)
        var open = [(text: output, rest: 0..<output.count)]
        while let (text, rest) = open.popLast() {
            guard let (number, next) = text.withBytes({ Self.copy($0.extracting(0..<rest.upperBound), from: rest.lowerBound, to: whole) })
            else { continue }
            open.append((text, next..<rest.upperBound))
            open.append(textOf(number))
        }
        return whole
    }

    private func textOf(_ number: Int) -> (text: OutputBuffer, rest: Range<Int>) {
        guard let text = nested[number].context?.closed() else { return (finished, nested[number].text) }
        return (text, 0..<text.count)
    }

    /// Copies up to a placeholder; returns its number, and the position after it.
    private static func copy(_ text: Span<UInt8>, from start: Int, to whole: OutputBuffer) -> (number: Int, next: Int)? {
        var place = start
        while place < text.count, text.byte(at: place) != placeholder { place += 1 }
        whole.append(text.extracting(start..<place))
        return place < text.count ? (number(text, at: place), place + placeholderLength) : nil
    }

    // MARK: End

    /// Releases the contexts, and closes those that a type still holds.
    func end() {
        for number in unfinished { nested[number].context?.abandon() }
        nested = []
        unfinished = []
    }
}
