extension EncodingContext {
    /// Where everything stood before a member or element was begun.
    struct Checkpoint {
        let text: Int
        let depth: Int
        let marks: Int
        let removals: Int

        @inline(__always)
        init(_ context: EncodingContext) {
            text = context.output.count
            depth = context.levels.count
            marks = context.marks.count
            removals = context.removals
        }
    }

    /// Takes back what was written since; the error that made it so.
    @inline(never)
    func rolledBack(to checkpoint: Checkpoint, _ error: any Error) -> any Error {
        levels.removeLast(levels.count - checkpoint.depth)
        marks.removeLast(marks.count - checkpoint.marks)
        output.truncate(to: checkpoint.text)
        let depth = checkpoint.depth - 1
        if depth >= 0 {
            levels[depth].count -= 1
            levels[depth].stepCount = -1
        }
        while removals > checkpoint.removals {
            removals -= 1
            // The others were members of what is gone.
            if let mark = replaced.popLast(), mark < checkpoint.marks { keepAfterAll(mark, at: depth) }
        }
        return error
    }

    /// Takes back what was written of a value, which may be encoded as another one then.
    @inline(never)
    func rolledBack(toValueAt start: Int, depth: Int, marks count: Int, _ error: any Error) -> any Error {
        levels.removeLast(levels.count - depth)
        marks.removeLast(marks.count - count)
        output.truncate(to: start)
        return error
    }
}
