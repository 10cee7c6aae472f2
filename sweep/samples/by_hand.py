"""Arguments of operators that PyTorch's own samples do not lead to: private ones, those of optimizers, quantization and MKL-DNN.

Each entry is an operator's name and the arguments that have no default; out= is added where an overload has it. An entry also serves the
operators with the same base name (hearing.py).
"""
import math

from saying import Made

QINT8, QUINT8 = 12, 13  # torch.qint8 and torch.quint8 as numbers: an experiment has no tensors of these dtypes
CSR, BSR, BSC = 2, 5, 6  # layouts as numbers


def floats(*sizes, dtype="float32"):
    return Made(dtype, sizes, [(i * 5) % 11 / 4 - 0.75 for i in range(math.prod(sizes))])


def above_0(*sizes, dtype="float32"):
    return Made(dtype, sizes, [((i * 5) % 11 + 1) / 4 for i in range(math.prod(sizes))])


def whole(*sizes, dtype="int64", most=7):
    return Made(dtype, sizes, [(i * 5) % most for i in range(math.prod(sizes))])


def row(*values, dtype="int64"):
    return Made(dtype, [len(values)], values)


def number(value, dtype="float32"):
    return Made(dtype, [], [value])


def convolutions():
    plain = {"transposed": False, "output_padding": [0], "groups": 1}
    own = {"benchmark": False, "deterministic": False, "cudnn_enabled": False, "allow_tf32": False}
    line = {"weight": floats(3, 2, 2), "bias": floats(3), "stride": [1], "padding": [0], "dilation": [1]}
    plane = {"weight": floats(2, 1, 2, 2), "bias": floats(2), "stride": [1, 1], "padding": [0, 0], "dilation": [1, 1]}
    yield "aten::_convolution", {"input": floats(1, 2, 4), **line, **plain, **own}
    yield "aten::_convolution", {"input": floats(1, 1, 3, 3), **plane, **plain, **own, "output_padding": [0, 0]}
    yield "aten::_convolution_mode", {"input": floats(1, 2, 4), **line, "padding": "same", "groups": 1}
    yield "aten::_convolution_mode", {"input": floats(1, 1, 3, 3), **plane, "padding": "valid", "groups": 1}
    yield "aten::_convolution_double_backward", {
        "ggI": floats(1, 2, 4), "ggW": floats(3, 2, 2), "ggb": floats(3), "gO": floats(1, 3, 3), "self": floats(1, 2, 4), **line, **plain,
        "output_mask": [True, True, True]}
    yield "aten::mkldnn_convolution", {"self": floats(1, 1, 3, 3), **plane, "groups": 1}
    yield "aten::_nnpack_spatial_convolution", {"input": floats(1, 1, 3, 3), **plane}
    yield "aten::conv_tbc", {"self": floats(3, 1, 2), "weight": floats(2, 2, 3), "bias": floats(3)}
    kernel = {"self": floats(1, 1, 3, 3), **plane, "kernel_size": [2, 2]}
    yield "aten::_slow_conv2d_forward", kernel
    yield "aten::thnn_conv2d", kernel
    yield "aten::_slow_conv2d_backward", {"grad_output": floats(1, 2, 2, 2), **kernel, "output_mask": [True, True, True]}
    yield "aten::slow_conv_transpose2d", {**kernel, "weight": floats(1, 2, 2, 2)}
    solid = {"self": floats(1, 1, 2, 3, 3), "weight": floats(2, 1, 2, 2, 2), "bias": floats(2), "kernel_size": [2, 2, 2], "stride": [1, 1, 1],
             "padding": [0, 0, 0], "dilation": [1, 1, 1]}
    for name in ("slow_conv3d", "slow_conv_dilated3d", "conv_depthwise3d"):
        yield "aten::" + name, solid
    yield "aten::slow_conv_transpose3d", {**solid, "weight": floats(1, 2, 2, 2, 2)}


def losses_and_layers():
    lengths = {"input_lengths": [4], "target_lengths": [2]}
    tensors = {"input_lengths": row(4), "target_lengths": row(2)}
    for dtype in ("float32", "float64"):
        loss = {"log_probs": floats(4, 1, 3, dtype=dtype), "targets": Made("int64", [1, 2], [1, 2])}
        back = {"grad": floats(1, dtype=dtype), "neg_log_likelihood": above_0(1, dtype=dtype), "log_alpha": floats(1, 4, 5, dtype=dtype), "blank": 0}
        for given in (lengths, tensors):
            yield "aten::_ctc_loss", {**loss, **given}
            yield "aten::_ctc_loss_backward", {**loss, **given, **back}
    yield "aten::_native_multi_head_attention", {
        "query": floats(1, 2, 4), "key": floats(1, 2, 4), "value": floats(1, 2, 4), "embed_dim": 4, "num_head": 2, "qkv_weight": floats(12, 4),
        "qkv_bias": floats(12), "proj_weight": floats(4, 4), "proj_bias": floats(4)}
    yield "aten::_transform_bias_rescale_qkv", {"qkv": floats(1, 2, 12), "qkv_bias": floats(12), "num_heads": 2}
    yield "aten::_embedding_bag_forward_only", {"weight": floats(3, 2), "indices": row(0, 2, 1), "offsets": row(0, 2)}
    yield "aten::_batch_norm_no_update", {
        "input": floats(2, 2), "weight": floats(2), "bias": floats(2), "running_mean": floats(2), "running_var": above_0(2), "momentum": 0.1, "eps": 0.1}
    normed = {"input": floats(2, 2), "grad_out": floats(2, 2), "weight": floats(2), "running_mean": floats(2), "running_var": above_0(2),
              "save_mean": floats(2), "save_invstd": above_0(2), "train": True, "eps": 0.1, "output_mask": [True, True, True]}
    yield "aten::native_batch_norm_backward", normed
    yield "aten::_embedding_bag_sparse_backward", {
        "grad": floats(2, 2), "indices": row(0, 2, 1), "offsets": row(0, 2), "offset2bag": row(0, 0, 1), "bag_size": row(2, 1), "num_weights": 3,
        "scale_grad_by_freq": False, "mode": 0}
    for theta, size in ((floats(1, 2, 3), [1, 1, 2, 2]), (floats(1, 3, 4), [1, 1, 2, 2, 2])):
        yield "aten::affine_grid_generator", {"theta": theta, "size": size, "align_corners": False}
        sizes = [1, *size[2:], len(size) - 2]
        yield "aten::affine_grid_generator_backward", {"grad": floats(*sizes), "size": size, "align_corners": False}
    for mode in ("reflection_pad3d", "replication_pad3d"):
        yield "aten::" + mode, {"self": floats(1, 2, 2, 2), "padding": [1, 1, 1, 1, 0, 0]}
        yield f"aten::{mode}_backward", {"grad_output": floats(1, 2, 4, 4), "self": floats(1, 2, 2, 2), "padding": [1, 1, 1, 1, 0, 0]}
    yield "aten::fractional_max_pool2d_backward", {
        "grad_output": floats(1, 2, 2), "self": floats(1, 4, 4), "kernel_size": [2, 2], "output_size": [2, 2], "indices": whole(1, 2, 2)}
    yield "aten::fractional_max_pool3d_backward", {
        "grad_output": floats(1, 2, 2, 2), "self": floats(1, 3, 3, 3), "kernel_size": [2, 2, 2], "output_size": [2, 2, 2], "indices": whole(1, 2, 2, 2)}
    pooled = {"kernel_size": [2, 2], "stride": [1, 1], "padding": [0, 0], "dilation": [1, 1], "ceil_mode": False}
    yield "aten::max_pool2d_backward", {"grad_output": floats(1, 1, 2, 2), "self": floats(1, 1, 3, 3), **pooled}


def upsampling():
    modes = [(f"upsample_nearest{n}d", n) for n in (1, 2, 3)] + [(f"_upsample_nearest_exact{n}d", n) for n in (1, 2, 3)]
    modes += [("upsample_linear1d", 1), ("upsample_trilinear3d", 3), ("upsample_bilinear2d", 2), ("upsample_bicubic2d", 2)]
    modes += [(f"_upsample_{kind}2d_aa", 2) for kind in ("bilinear", "bicubic", "lanczos")]
    for name, n in modes:
        small, large = [1, 1] + [2] * n, [1, 1] + [3] * n
        for values in ({"input": floats(*small), "output_size": large[2:], "align_corners": False, "scale_factors": None},
                       {"input": floats(*small, dtype="float64"), "output_size": None, "align_corners": True, "scale_factors": [1.5] * n}):
            yield "aten::" + name, values
        yield f"aten::{name}_backward", {"grad_output": floats(*large), "output_size": large[2:], "input_size": small, "align_corners": False}


def recurrent():
    for name, gates in (("lstm", 4), ("gru", 3), ("rnn_tanh", 1), ("rnn_relu", 1)):
        params = [floats(2 * gates, 3), floats(2 * gates, 2), floats(2 * gates), floats(2 * gates)]
        hidden = [floats(1, 1, 2), floats(1, 1, 2)] if name == "lstm" else floats(1, 1, 2)
        given = {"hx": hidden, "params": params, "has_biases": True, "num_layers": 1, "dropout": 0, "train": False, "bidirectional": False}
        yield f"aten::{name}.input", {"input": floats(2, 1, 3), **given, "batch_first": False}
        yield f"aten::{name}.data", {"data": floats(2, 3), "batch_sizes": row(1, 1), **given}
    state = [floats(1, 2), floats(1, 2)]
    yield "aten::lstm_cell", {"input": floats(1, 3), "hx": state, "w_ih": floats(8, 3), "w_hh": floats(8, 2), "b_ih": floats(8), "b_hh": floats(8)}
    yield "aten::_thnn_differentiable_gru_cell_backward", {
        "grad_hy": floats(1, 2), "input_gates": floats(1, 6), "hidden_gates": floats(1, 6), "hx": floats(1, 2), "input_bias": floats(6), "hidden_bias": floats(6)}
    yield "aten::_pack_padded_sequence", {"input": floats(3, 2, 1), "lengths": row(3, 2), "batch_first": False}
    yield "aten::_pack_padded_sequence_backward", {"grad": floats(5, 1), "input_size": [3, 2, 1], "batch_sizes": row(2, 2, 1), "batch_first": False}
    yield "aten::_pad_packed_sequence", {"data": floats(5, 1), "batch_sizes": row(2, 2, 1), "batch_first": False, "padding_value": 0, "total_length": 3}
    layer = {"input": floats(2, 1, 3), "weight0": floats(8, 3), "weight1": floats(8, 2), "weight2": floats(8), "weight3": floats(8),
             "hx_": floats(1, 1, 2), "cx_": floats(1, 1, 2), "reverse": False, "batch_sizes": [], "mode": 2, "hidden_size": 2, "num_layers": 1,
             "has_biases": True, "bidirectional": False, "batch_first": False, "train": False}
    yield "aten::mkldnn_rnn_layer", layer


def optimizers():
    def lists(*names):
        return {name: [floats(2, 2)] if name in ("self", "grads") else [above_0(2, 2)] for name in names}
    rates = {"lr": 0.1, "weight_decay": 0.1, "eps": 0.1, "maximize": False}
    for name in ("adam", "adamw"):
        yield f"aten::_fused_{name}", {**lists("self", "grads", "exp_avgs", "exp_avg_sqs", "max_exp_avg_sqs"), "state_steps": [number(2)], **rates,
                                       "beta1": 0.5, "beta2": 0.5, "amsgrad": True}
    yield "aten::_fused_adagrad", {**lists("self", "grads", "state_sums"), "state_steps": [number(2)], **rates, "lr_decay": 0.1}
    yield "aten::_fused_sgd", {**lists("self", "grads", "momentum_buffer_list"), "weight_decay": 0.1, "momentum": 0.5, "lr": 0.1, "dampening": 0,
                               "nesterov": False, "maximize": False, "is_first_step": False}
    several = {"self": [floats(2), floats(2)], "tensor1": [floats(2), above_0(2)], "tensor2": [above_0(2), above_0(2)]}
    for name in ("_foreach_addcdiv", "_foreach_addcmul"):
        yield "aten::" + name, {**several, "value": 2}
        yield f"aten::{name}.ScalarList", {**several, "scalars": [2, 0.5]}
        yield f"aten::{name}.Tensor", {**several, "scalars": row(2, 0.5, dtype="float32")}
    yield "aten::_foreach_copy", {"self": [floats(2)], "src": [above_0(2)]}
    yield "aten::_amp_update_scale_", {"self": row(2, dtype="float32"), "growth_tracker": row(1, dtype="int32"), "found_inf": row(0, dtype="float32"),
                                       "scale_growth_factor": 2, "scale_backoff_factor": 0.5, "growth_interval": 2}


def quantized():
    scales, zeros = row(0.5, 0.25, dtype="float64"), row(1, 2)
    for dtype in (QUINT8, QINT8):
        yield "aten::quantize_per_tensor", {"self": floats(2, 2), "scale": 0.5, "zero_point": 1, "dtype": dtype}
        yield "aten::quantize_per_tensor.tensor_qparams", {"self": floats(2), "scale": number(0.5), "zero_point": number(1, "int64"), "dtype": dtype}
        yield "aten::quantize_per_channel", {"self": floats(2, 2), "scales": scales, "zero_points": zeros, "axis": 0, "dtype": dtype}
        yield "aten::_empty_affine_quantized", {"size": [2], "dtype": dtype, "scale": 0.5}
        yield "aten::_empty_per_channel_affine_quantized", {"size": [2], "scales": scales, "zero_points": zeros, "axis": 0, "dtype": dtype}
    bytes_ = whole(2, 2, dtype="int8")
    yield "aten::_make_per_tensor_quantized_tensor", {"self": bytes_, "scale": 0.5, "zero_point": 1}
    yield "aten::_make_per_channel_quantized_tensor", {"self": bytes_, "scale": scales, "zero_point": zeros, "axis": 0}
    yield "aten::_fake_quantize_learnable_per_channel_affine_backward", {
        "grad": floats(2, 2), "self": floats(2, 2), "scale": above_0(2), "zero_point": floats(2), "axis": 0, "quant_min": 0, "quant_max": 15}
    yield "aten::_int_mm", {"self": whole(2, 2, dtype="int8"), "mat2": whole(2, 2, dtype="int8")}
    yield "aten::_weight_int8pack_mm", {"self": floats(2, 4), "mat2": whole(3, 4, dtype="int8"), "scales": floats(3)}
    yield "aten::_weight_int4pack_mm_for_cpu", {
        "self": floats(1, 32), "mat2": whole(16, 16, dtype="uint8"), "qGroupSize": 32, "qScaleAndZeros": floats(1, 16, 2)}
    yield "quantized::int4mm_packed_weight_cpu", {
        "self": floats(1, 32), "mat2": whole(16, 16, dtype="uint8"), "qGroupSize": number(32, "int64"), "qScaleAndZeros": floats(1, 16, 2)}
    yield "aten::_dyn_quant_matmul_4bit", {"inp": floats(1, 32), "packed_weights": floats(36), "block_size": 32, "in_features": 32, "out_features": 2}
    yield "aten::_grouped_mm", {"self": floats(2, 4, 4), "mat2": floats(2, 4, 4)}
    yield "aten::fbgemm_pack_quantized_matrix", {"input": bytes_}
    yield "aten::fbgemm_pack_quantized_matrix.KN", {"input": bytes_, "K": 2, "N": 2}
    scalars = {"weight_scale": number(0.5), "weight_zero_point": number(1, "int64")}
    yield "aten::_wrapped_linear_prepack", {"weight": floats(2, 2), **scalars, "bias": floats(2)}
    yield "_quantized::_wrapped_linear_prepack", {"W": floats(2, 2), "W_scale": number(0.5), "W_zero_point": number(1, "int64"), "B": floats(2)}
    bag = {"indices": row(0, 1, 1), "offsets": row(0, 2)}
    yield "quantized::embedding_bag_byte_rowwise_offsets", {"weight": whole(2, 12, dtype="uint8"), **bag}
    yield "quantized::embedding_bag_2bit_rowwise_offsets", {"weight": whole(2, 6, dtype="uint8"), **bag}
    yield "quantized::embedding_bag_2bit_prepack_with_rowwise_min_max", {"weight": floats(2, 8), "rowwise_min_max": Made("float32", [2, 2], [-1, 1, -1, 1])}


def mkldnn():
    line = {"X": floats(1, 1, 3, 3), "W": floats(2, 1, 2, 2), "B": floats(2), "padding": [0, 0], "stride": [1, 1], "dilation": [1, 1], "groups": 1}
    rest = {"attr": "relu", "scalars": [], "algorithm": None}
    yield "mkldnn::_convolution_pointwise", {**line, **rest}
    added = {**line, "other": floats(1, 2, 2, 2), "binary_attr": "add", "alpha": 1, "unary_attr": None, "unary_scalars": [], "unary_algorithm": None}
    yield "mkldnn::_convolution_pointwise.binary", added
    yield "mkldnn::_convolution_transpose_pointwise", {**line, "W": floats(1, 2, 2, 2), "output_padding": [0, 0], **rest}
    yield "mkldnn::_linear_pointwise.binary", {"X": floats(2, 3), "other": floats(2, 2), "W": floats(2, 3), "B": floats(2), "attr": "add"}
    yield "mkldnn_prepacked::conv2d_prepack", {**line, "input_size": [1, 1, 3, 3], "attr": "none"}
    byte = whole(2, 2, dtype="int8")
    yield "onednn::qlinear_prepack", {"weight": byte, "x_shape": [2, 2]}
    yield "onednn::qconv_prepack", {"weight": whole(2, 1, 2, 2, dtype="int8"), "w_scales": above_0(2), "x_scale": 0.5, "x_zp": 0, "stride": [1, 1],
                                    "padding": [0, 0], "dilation": [1, 1], "groups": 1, "x_shape": [1, 1, 3, 3]}
    yield "onednn::qmul.tensor", {"self": whole(2, 2, dtype="uint8"), "self_scale": 0.5, "self_zero_point": 0, "other": whole(2, 2, dtype="uint8"),
                                  "other_scale": 0.5, "other_zero_point": 0, "output_scale": 0.5, "output_zero_point": 0, "output_dtype": {"dtype": "uint8"}}


def others():
    for dtype in ("float32", "int64"):
        yield "aten::scatter.value_reduce", {"self": floats(3, dtype=dtype), "dim": 0, "index": row(0, 2), "value": 2, "reduce": "add"}
        yield "aten::split_copy.Tensor", {"self": floats(4, dtype=dtype), "split_size": 2}
    for dtype in ("float32", "float64"):
        yield "aten::quantile", {"self": above_0(4, dtype=dtype), "q": number(0.5, dtype), "dim": 0}
        yield "aten::randint_like.Tensor", {"self": floats(2, dtype=dtype), "high": number(4, "int64")}
        yield "aten::linalg_norm.ord_str", {"self": floats(2, 2, dtype=dtype), "ord": "fro"}
    yield "aten::matmul_backward", {"grad": floats(2, 2), "self": floats(2, 2), "other": floats(2, 2), "mask": [True, True]}
    yield "aten::linear_backward", {"self": floats(2, 3), "grad_output": floats(2, 2), "weight": floats(2, 3), "output_mask": [True, True, True]}
    yield "aten::_reshape_from_tensor", {"self": floats(4), "shape": row(2, 2)}
    yield "aten::_resize_output", {"self": floats(4), "size": [2, 2], "device": "cpu"}
    yield "aten::_test_check_tensor", {"self": row(1, 1, dtype="bool")}
    yield "aten::_test_optional_intlist", {"values": row(1, 2, dtype="int32"), "addends": [1, 2]}
    yield "aten::_convert_indices_from_coo_to_csr", {"self": row(0, 1, 1), "size": 2, "out_int32": False}
    for name in ("uniform", "normal"):
        yield f"aten::_philox_{name}", {"self": floats(4), "key": row(1, 2), "low": 0, "high": 1, "mean": 0, "std": 1, "seed": 1, "offset": 0}
    state = whole(2, 30, most=2)
    yield "aten::_sobol_engine_initialize_state_", {"self": state, "dimension": 2}
    yield "aten::_sobol_engine_scramble_", {"self": state, "ltm": whole(2, 30, 30, most=2), "dimension": 2}
    both = {"crow_indices": row(0, 1, 2), "col_indices": row(0, 1), "ccol_indices": row(0, 1, 2), "row_indices": row(0, 1), "compressed_indices": row(0, 1, 2),
            "plain_indices": row(0, 1), "size": [2, 2]}
    for name in ("_validate_sparse_csr_tensor_args", "_validate_sparse_csc_tensor_args"):
        yield "aten::" + name, {**both, "values": floats(2)}
    for name in ("_validate_sparse_bsr_tensor_args", "_validate_sparse_bsc_tensor_args"):
        yield "aten::" + name, {**both, "values": floats(2, 1, 1)}
    yield "aten::_validate_sparse_compressed_tensor_args", {**both, "values": floats(2), "layout": CSR}
    yield "aten::_validate_compressed_sparse_indices", {"is_crow": True, "compressed_idx": row(0, 1, 2), "plain_idx": row(0, 1), "cdim": 2, "dim": 2, "nnz": 2}
    for name in ("sparse_compressed_tensor", "_sparse_compressed_tensor_unsafe"):
        yield "aten::" + name, {**both, "values": floats(2), "layout": CSR}
    for name in ("sparse_bsr_tensor", "sparse_bsc_tensor"):
        yield "aten::" + name, {**both, "values": floats(2, 1, 1), "layout": BSR if name == "sparse_bsr_tensor" else BSC}
    yield "aten::_sparse_compressed_tensor_with_dims", {
        "nnz": 0, "dense_dim": 0, "size": [2, 2], "blocksize": [], "index_dtype": {"dtype": "int64"}, "dtype": {"dtype": "float32"}, "layout": CSR}


BY_HAND = [entry for part in (convolutions, losses_and_layers, upsampling, recurrent, optimizers, quantized, mkldnn, others) for entry in part()]
