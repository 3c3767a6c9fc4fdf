extension EncodingContext {
    /// The state before a member, element or single value was started.
    struct Checkpoint {
        let text: Int
        let depth: Int
        let marks: Int
        let frames: Int
        let removals: Int

        @inline(__always)
        init(_ context: EncodingContext) {
            text = context.output.count
            depth = context.levels.count
            marks = context.marks.count
            frames = context.frames.count
            removals = context.removals
        }
    }

    /// Removes the started member or element, and returns the error that caused it.
    @inline(never)
    func rolledBack(to checkpoint: Checkpoint, _ error: any Error) -> any Error {
        let container = checkpoint.depth - 1
        takeBack(checkpoint, container)
        levels[container].count -= 1
        // No member is being written, so no key may be read.
        levels[container].current = EncodingLevel.Mark(start: 0, keyLength: 0)
        levels[container].key = nil
        levels[container].stepCount = -1
        return error
    }

    /// Removes the text of a value, which may then be encoded as another one.
    @inline(never)
    func rolledBack(toValueAt checkpoint: Checkpoint, _ error: any Error) -> any Error {
        takeBack(checkpoint, checkpoint.depth - 1)
        return error
    }

    private func takeBack(_ checkpoint: Checkpoint, _ container: Int) {
        while levels.count > checkpoint.depth {
            forgetNames(of: levels.count - 1)
            levels.removeLast()
        }
        marks.removeLast(marks.count - checkpoint.marks)
        frames.removeLast(frames.count - checkpoint.frames)
        output.truncate(to: checkpoint.text)
        while removals > checkpoint.removals {
            removals -= 1
            let mark = replaced.removeLast()
            // The other marks belong to removed members.
            if mark < checkpoint.marks { keepAfterAll(mark, at: container) }
        }
    }
}
