import Synchronization

/// A job with a decoded and checked original. Any threads may encode the remaining results.
public struct DecodedJob: Sendable {
    /// The results of the targets that were not dropped.
    public let pictures: PendingPictures
    /// The time of the decode, which serves all targets, and of all resampling.
    public let decodeTimings: StageTimings
    /// The planes retained for other targets; `nil` if the job asked for none, if there was no memory for them, or if
    /// the job's only target reads much less of a progressive JPEG than other targets would.
    public let planes: RetainedPlanes?

    package init(pictures: PendingPictures, decodeTimings: StageTimings, planes: RetainedPlanes?) {
        self.pictures = pictures
        self.decodeTimings = decodeTimings
        self.planes = planes
    }
}

/// The results of a job before encoding. Safe from any thread.
public final class PendingPictures: Sendable {
    private struct State {
        /// By the target's index in the job; `nil` if taken or dropped.
        var pictures: [PendingPicture?]
        /// A bit for each remaining picture.
        var left: UInt64 = 0
    }

    private let state: Mutex<State>
    private let costs: [UInt32]
    private let control: JobControl

    /// - Parameter targetCount: The number of targets of the job, including those without a picture.
    package init(_ pictures: [PendingPicture], targetCount: Int, control: JobControl) {
        var state = State(pictures: .init(repeating: nil, count: targetCount))
        var costs = [UInt32](repeating: 0, count: targetCount)
        for picture in pictures {
            state.pictures[picture.index] = picture
            state.left |= 1 << picture.index
            costs[picture.index] = picture.plan.encodingCost
        }
        self.state = Mutex(state)
        self.costs = costs
        self.control = control
    }

    /// Takes the next wanted picture to encode: the most urgent, then the one with the shortest encoding. Frees
    /// pictures that are not wanted.
    ///
    /// - Returns: `nil` if none is left.
    public func next() -> PendingPicture? {
        self.state.withLock { state in
            self.dropUnwanted(&state)
            guard let index = self.control.next(of: state.left, costs: self.costs) else { return nil }
            state.left &= ~(1 << index)
            return state.pictures[index].take()
        }
    }

    /// The number of wanted pictures that have not been taken.
    public var count: Int {
        self.state.withLock { state in
            self.dropUnwanted(&state)
            return state.left.nonzeroBitCount
        }
    }

    private func dropUnwanted(_ state: inout State) {
        var unwanted = state.left & ~self.control.wanted
        state.left &= ~unwanted
        while unwanted != 0 {
            state.pictures[unwanted.trailingZeroBitCount] = nil
            unwanted &= unwanted - 1
        }
    }
}
