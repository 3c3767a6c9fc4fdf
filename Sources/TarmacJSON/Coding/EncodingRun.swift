/// What the contexts of one encoding have in common: the nested ones, where they stand, and the first fault.
///
/// Contexts refer to this and this to the nested ones, by number, so that neither writing their text nor freeing them
/// takes stack for a level. ``end()`` parts them.
final class EncodingRun {
    /// A nested context, or its text in ``finished`` once nobody can write there any more.
    private struct Entry {
        var context: EncodingContext?
        var text = 0..<0
        /// Whether it is the text of a container that was asked for, and may be asked for again.
        var isContainer = false
        /// How long the text must be for the context to be finished.
        var leastLength = 0
    }

    private var nested: [Entry] = []
    /// The numbers of contexts that are not finished.
    private(set) var unfinished: [Int] = []
    /// How many of them there may be before it is looked which are.
    private var unfinishedLimit = fewest
    private static let fewest = 32
    /// The texts of nested contexts that are over.
    private(set) var finished = OutputBuffer()
    /// Bytes of it that nobody refers to any more.
    private var dead = 0
    /// A text up to here costs less to copy than its context to keep.
    private static let shortLength = 1024
    /// A misuse seen where nothing can be thrown.
    private(set) var fault: EncodingError?

    /// Keeps the first fault found where nothing can be thrown; the encoding as a whole throws it.
    func note(_ error: EncodingError) {
        fault = fault ?? error
    }

    // MARK: Nested contexts

    /// Never part of UTF-8; the four bytes of a context's number follow.
    static let placeholder: UInt8 = 0xFF
    static let placeholderLength = 5

    /// Takes a context in and writes what its text will take the place of.
    func add(_ context: EncodingContext, to output: OutputBuffer) {
        output.append(Self.placeholder)
        for shift in 0..<4 { output.append(UInt8(truncatingIfNeeded: nested.count >> (8 * shift))) }
        unfinished.append(nested.count)
        nested.append(Entry(context: context))
    }

    /// The number of the context whose placeholder `text` is.
    static func number(_ text: Span<UInt8>) -> Int? {
        text.count == placeholderLength && text[0] == placeholder ? number(text, at: 0) : nil
    }

    /// A context that is not finished.
    func context(_ number: Int) -> EncodingContext? { nested[number].context }

    /// Where the text of a finished context stands, if that is a container.
    func finishedContainer(_ number: Int) -> Range<Int>? { nested[number].isContainer ? nested[number].text : nil }

    /// Goes on with a finished context, which has copied its text. A long one is not finished again before it is twice as long:
    /// the copies of a container that is asked for over and over take time in proportion to its text.
    func revive(_ number: Int, as context: EncodingContext) {
        let length = nested[number].text.count
        nested[number] = Entry(context: context, leastLength: length > Self.shortLength ? 2 * length : 0)
        unfinished.append(number)
        dead += length
        if 2 * dead > finished.count, dead >= nested.count { dropDead() }
    }

    /// Gives back the texts nobody refers to.
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

    /// Keeps the text alone of contexts nobody refers to any more, so that many small nested containers, one after the
    /// other, take no more memory than their text. Looks only when there are twice as many as were left the last time.
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

    /// `output` with the text of nested contexts in its places, in one walk.
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

    /// Copies up to a placeholder; its number, and the place behind it.
    private static func copy(_ text: Span<UInt8>, from start: Int, to whole: OutputBuffer) -> (number: Int, next: Int)? {
        var place = start
        while place < text.count, text.byte(at: place) != placeholder { place += 1 }
        whole.append(text.extracting(start..<place))
        return place < text.count ? (number(text, at: place), place + placeholderLength) : nil
    }

    // MARK: End

    /// Lets go of the contexts, and closes those a type still holds.
    func end() {
        for number in unfinished { nested[number].context?.abandon() }
        nested = []
        unfinished = []
    }
}
