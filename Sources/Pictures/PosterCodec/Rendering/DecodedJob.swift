import Synchronization

/// A job whose original is decoded and checked. What is left is encoded by whatever threads there are.
public struct DecodedJob: Sendable {
    /// The results of the targets that were not dropped.
    public let pictures: PendingPictures
    /// Of the decode, which serves all targets, and of all their resampling.
    public let decodeTimings: StageTimings
    /// What stays for other targets; nil when the job asked for nothing, and when there was no memory for it. Of a
    /// progressive JPEG nothing stays either when the job's only target reads much less of it than others would.
    public let planes: RetainedPlanes?

    package init(pictures: PendingPictures, decodeTimings: StageTimings, planes: RetainedPlanes?) {
        self.pictures = pictures
        self.decodeTimings = decodeTimings
        self.planes = planes
    }
}

/// The results of a job that are not encoded yet. Any thread may take from them.
public final class PendingPictures: Sendable {
    private struct State {
        /// By the target's place in the job; nil for those that were taken or dropped.
        var pictures: [PendingPicture?]
        /// A bit for each that is left.
        var left: UInt64 = 0
    }

    private let state: Mutex<State>
    private let costs: [UInt32]
    private let control: JobControl

    /// - Parameter targetCount: The number of targets of the job, of which some may have no picture.
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

    /// Takes the next picture to encode: of those that are wanted the most urgent, of these that which takes the least
    /// time. Pictures that are not wanted any more are freed.
    ///
    /// - Returns: nil when none is left.
    public func next() -> PendingPicture? {
        self.state.withLock { state in
            self.dropUnwanted(&state)
            guard let index = self.control.next(of: state.left, costs: self.costs) else { return nil }
            state.left &= ~(1 << index)
            return state.pictures[index].take()
        }
    }

    /// The number of pictures that are wanted and not taken.
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
