public import MovieDomain
import Synchronization

/// Says of pictures what a test says; of all others that they are 600 by 900.
public final class ScriptedInspector: PictureInspector {
    private struct State {
        var inspections: [PictureLocation: PictureInspection] = [:]
        var looks: [PictureLocation] = []
    }

    private let state = Mutex(State())

    /// Nothing is said yet.
    public init() {}

    /// What is said of a picture.
    public func set(_ inspection: PictureInspection, for location: PictureLocation) {
        self.state.withLock { $0.inspections[location] = inspection }
    }

    /// What was looked at, in turn.
    public var looks: [PictureLocation] { self.state.withLock { $0.looks } }

    /// As it was set.
    public func inspect(_ location: PictureLocation) async throws -> PictureInspection {
        try Task.checkCancellation()
        return self.state.withLock { state in
            state.looks.append(location)
            return state.inspections[location]
                ?? PictureSize(width: 600, height: 900).map { .size($0) } ?? .unusable(reason: "it is empty")
        }
    }
}
