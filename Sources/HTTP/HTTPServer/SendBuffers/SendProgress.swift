import NIOCore

/// How fast a client takes what is written to it. A value without a clock and a socket of its own.
struct SendProgress {
    /// What must have been taken, and by when.
    private struct Due {
        /// In bytes, all that was ever written counted.
        let taken: Int
        let deadline: NIODeadline
    }

    /// What must be taken in `duration`, in bytes; less where less is waiting.
    let least: Int
    let duration: TimeAmount
    /// All that was ever written, in bytes.
    var written = 0
    private var due: Due?

    init(least: Int, duration: TimeAmount) {
        self.least = least
        self.duration = duration
    }

    /// To be asked every now and then: the time counts from the first look that finds something waiting.
    ///
    /// - Parameter waiting: What was written and not taken, in bytes.
    mutating func isStalled(waiting: Int, now: NIODeadline) -> Bool {
        let taken = self.written - waiting
        if let due = self.due, waiting > 0, taken < due.taken { return now >= due.deadline }
        self.due =
            waiting == 0 ? nil : Due(taken: taken + min(waiting, self.least), deadline: now + self.duration)
        return false
    }
}
