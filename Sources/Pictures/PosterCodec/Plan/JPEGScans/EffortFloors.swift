extension RenderTarget.Effort {
    /// What luma keeps at least against reading all scans of a JPEG, as estimated: peak signal-to-noise ratio in dB.
    var lumaFloor: Double {
        switch self {
        case .full: .infinity
        case .balanced: 45
        case .fast: 42
        }
    }

    /// The same for R′G′B′.
    var colourFloor: Double {
        self.lumaFloor - 3
    }
}
