import Synchronization

/// The conversions used lately, so that a profile is understood once and not for every picture. Safe from any thread.
final class ColourTransformCache: Sendable {
    static let shared = ColourTransformCache()

    /// The most conversions kept, and the most bytes of profiles that they are found by.
    static let countLimit = 32
    static let byteLimit = 16 << 20

    /// What a conversion is found by: the whole profile, since no digest of it can be forged then.
    private struct Key: Hashable {
        let tag: ColourTag
        let input: ColourTransform.Input

        var byteCount: Int {
            if case .profile(let bytes) = self.tag { bytes.count } else { 0 }
        }
    }

    private struct Entry {
        /// nil where pixels stay as they are.
        let transform: ColourTransform?
        var lastUse: UInt64
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var bytes = 0
        var uses: UInt64 = 0
    }

    private let state = Mutex(State())

    /// The conversion of such pixels; nil when they are sRGB, or as good as that.
    func transform(for tag: ColourTag, input: ColourTransform.Input) -> ColourTransform? {
        guard tag != .sRGB else { return nil }
        let key = Key(tag: tag, input: input)
        let known = self.state.withLock { state -> Entry? in
            state.uses += 1
            state.entries[key]?.lastUse = state.uses
            return state.entries[key]
        }
        if let known { return known.transform }
        // Outside of the lock: it takes milliseconds. Two threads may both do it once.
        let made = ColourTransform(tag, input: input)
        let transform = made?.changesNothing() == true ? nil : made
        self.keep(transform, for: key)
        return transform
    }

    /// What is kept now.
    var usage: (count: Int, bytes: Int) {
        self.state.withLock { ($0.entries.count, $0.bytes) }
    }

    private func keep(_ transform: ColourTransform?, for key: Key) {
        guard key.byteCount <= Self.byteLimit else { return }
        let dropped = self.state.withLock { state -> [Entry] in
            var dropped: [Entry] = []
            if let old = state.entries.removeValue(forKey: key) {
                state.bytes -= key.byteCount
                dropped.append(old)
            }
            while state.entries.count >= Self.countLimit || state.bytes + key.byteCount > Self.byteLimit,
                let oldest = state.entries.indices.min(by: {
                    state.entries[$0].value.lastUse < state.entries[$1].value.lastUse
                }).map({ state.entries.remove(at: $0) })
            {
                state.bytes -= oldest.key.byteCount
                dropped.append(oldest.value)
            }
            state.entries[key] = Entry(transform: transform, lastUse: state.uses)
            state.bytes += key.byteCount
            return dropped
        }
        withExtendedLifetime(dropped) {}
    }
}
