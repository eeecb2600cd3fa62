package import NIOCore
import Synchronization

/// What the response of one client keeps in memory before it is written: a body that is queued behind others of its
/// connection is in no channel's buffer. Safe from any thread.
///
/// What was written is accounted for where it is sent, by ``UnsentBodies``.
package final class ResponseAccount: Sendable {
    /// A body that is about to be written.
    package enum Body {
        /// In memory.
        case buffer(ByteBuffer)
        /// It is read when it can be sent, and accounted for then.
        case pieces
    }

    private struct State {
        var announced: SendBudget.Allocation?
        var isInPieces = false
    }

    /// The longest body that is not accounted for, in bytes.
    private static let freeLength = 4 << 10

    private let budget: SendBudget
    private let account: SendAccount
    private let state = Mutex(State())

    init(_ budget: SendBudget, _ channel: any Channel) {
        self.budget = budget
        self.account = SendAccount(channel)
    }

    /// What the response that is being made will be; without it only its length is known.
    package func announce(_ body: Body) {
        self.state.withLock { state in
            switch body {
            case .buffer(let buffer): state.announced = SendBudget.Allocation(of: buffer)
            case .pieces: state.isInPieces = true
            }
        }
    }

    /// Holds the body of the response that is written next.
    ///
    /// - Returns: What to release when it was written; nil for what is not worth it.
    func hold(byteCount: Int?) -> SendBudget.Allocation? {
        let state = self.state.withLock { state in
            defer { state = State() }
            return state
        }
        guard !state.isInPieces, let byteCount, byteCount > Self.freeLength else { return nil }
        let allocation = state.announced ?? SendBudget.Allocation(byteCount, of: self)
        self.budget.hold(allocation, for: self.account)
        return allocation
    }

    /// Holds a piece that is written next.
    package func hold(_ piece: ByteBuffer) -> SendBudget.Allocation {
        let allocation = SendBudget.Allocation(of: piece)
        self.budget.hold(allocation, for: self.account)
        return allocation
    }

    package func release(_ allocation: SendBudget.Allocation?) {
        if let allocation { self.budget.release(allocation, of: self.account) }
    }
}
