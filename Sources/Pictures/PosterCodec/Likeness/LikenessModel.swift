/// Predicts the number of an encoder's scale at which a picture has a likeness.
enum LikenessModel {
    /// Raise it with every change that gives other numbers. Part of variants' keys and entity tags.
    static let version = 1

    /// The numbers that the model may choose.
    static func numbers(of format: OutputFormat) -> ClosedRange<Int> {
        switch format {
        case .jpeg: 50...95
        case .webp, .jxl: 40...95
        case .avif: 40...95
        case .png: 100...100
        }
    }

    /// - Parameter planes: As the encoder takes them.
    /// - Returns: A number of ``numbers(of:)``.
    static func number(for likeness: Likeness, of planes: [Plane], as format: OutputFormat) -> Int {
        format.defaultQuality
    }
}

extension RenderPlan {
    /// Encodes the planes of the result at its quality.
    func encode(_ planes: consuming [Plane], watch: RenderWatch) throws(CodecError) -> EncodedBytes {
        let number =
            switch self.quality {
            case .fixed(let number): number
            case .likeness(let likeness): LikenessModel.number(for: likeness, of: planes, as: self.format)
            }
        return try self.format.encoding(self.encoderPlan(quality: number)).encode(planes, watch: watch)
    }
}
