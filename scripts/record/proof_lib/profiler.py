"""Hardware counters through Nsight Compute: asks for all metrics at once and, where that fails, for each alone."""

import collections
import csv
import re
import subprocess

METRICS = """
smsp__sass_thread_inst_executed_op_fadd_pred_on.sum smsp__sass_thread_inst_executed_op_fmul_pred_on.sum
smsp__sass_thread_inst_executed_op_ffma_pred_on.sum smsp__sass_thread_inst_executed_op_dadd_pred_on.sum
smsp__sass_thread_inst_executed_op_dmul_pred_on.sum smsp__sass_thread_inst_executed_op_dfma_pred_on.sum
smsp__sass_thread_inst_executed_op_hadd_pred_on.sum smsp__sass_thread_inst_executed_op_hmul_pred_on.sum
smsp__sass_thread_inst_executed_op_hfma_pred_on.sum
smsp__inst_executed.sum smsp__thread_inst_executed.sum smsp__thread_inst_executed_pred_on.sum
smsp__inst_executed_op_shared_ld.sum smsp__inst_executed_op_shared_st.sum smsp__inst_executed_op_shared_atom.sum
smsp__inst_executed_op_global_ld.sum smsp__inst_executed_op_global_st.sum smsp__inst_executed_op_global_red.sum
l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum l1tex__t_requests_pipe_lsu_mem_global_op_st.sum
l1tex__t_requests_pipe_lsu_mem_global_op_red.sum l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum
l1tex__t_requests_pipe_lsu_mem_global_op_ldgsts.sum
l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum
l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts.sum
l1tex__data_pipe_lsu_wavefronts_mem_shared.sum l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum
l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum
l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum
smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared.sum smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum
smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_ideal.sum smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared.sum
smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum
smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum
smsp__sass_inst_executed_op_shared_ld.sum smsp__sass_inst_executed_op_shared_st.sum
smsp__inst_executed_pipe_tensor.sum sm__inst_executed_pipe_tensor.sum smsp__inst_executed_pipe_tensor_op_hmma.sum
sm__inst_executed_pipe_tensor_op_hmma.sum sm__ops_path_tensor_src_bf16_dst_fp32.sum
smsp__inst_issued.sum sm__cycles_active.avg sm__cycles_elapsed.max gpu__time_duration.sum lts__t_sectors_op_read.sum
lts__t_sectors_op_write.sum dram__bytes_read.sum dram__bytes_write.sum
memory_l1_wavefronts_shared memory_l1_wavefronts_shared_ideal memory_l2_theoretical_sectors_global
""".split()
# Those of these counters that the device offers are measured too, and all of them are listed in the recording.
WORTH_KNOWING = re.compile(r"ops_path_tensor|inst_executed_pipe_(\w*tensor|\w*mma)|mem_shared|op_[fdh](add|mul|fma)_pred_on")
MEASURED_TOO = re.compile(r"^(sm__ops_path_tensor\w*|smsp?__inst_executed_pipe_\w*(tensor|mma)\w*)$")

Profile = collections.namedtuple("Profile", "version offered missing counters problems")


def text_of(command):
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=540)
    except (OSError, subprocess.TimeoutExpired) as error:
        return 1, f"{command[0]}: {error}"
    return answer.returncode, answer.stdout + answer.stderr


def offered_metrics(ncu):
    _, text = text_of([ncu, "--query-metrics"])
    names = [line.split()[0] for line in text.splitlines() if re.match(r"^\w+__\w+\s", line + " ")]
    return sorted(name for name in names if WORTH_KNOWING.search(name))


def number(text):
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return None
    return int(value) if value == int(value) else value


def read_csv(text, entries):
    """Counters by launch, in launch order; both of Nsight Compute's table forms."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    by_launch = [{} for _ in entries]
    if start is None:
        return by_launch
    for row in csv.DictReader(lines[start:]):
        if not (row.get("ID") or "").isdigit() or int(row["ID"]) >= len(entries):
            continue
        launch = int(row["ID"])
        name = row.get("Kernel Name") or ""
        if entries[launch] not in name:
            raise ValueError(f"launch {launch} is '{name}', expected '{entries[launch]}'")
        pairs = [(row["Metric Name"], row["Metric Value"])] if "Metric Name" in row else row.items()
        for metric, value in pairs:
            if metric and ("__" in metric or metric in METRICS) and number(value or "") is not None:
                by_launch[launch][metric] = number(value)
    return by_launch


def measure(ncu, command, entries, metrics, log):
    code, text = text_of([ncu, "--clock-control", "none", "--csv", "--print-units", "base", "--metrics", ",".join(metrics),
                          *command])
    log.write(f"# {ncu} --metrics {','.join(metrics)}: exit {code}\n{text}\n")
    return read_csv(text, entries)


def profile(ncu, command, entries, out):
    code, version = text_of([ncu, "--version"])
    offered = offered_metrics(ncu)
    metrics = METRICS + [f"{name}.sum" for name in offered if MEASURED_TOO.match(name) and f"{name}.sum" not in METRICS]
    problems = [] if code == 0 else [f"{ncu} cannot run: {version.strip()}"]
    with open(out / "proof_ncu.txt", "w") as log:
        counters = measure(ncu, command, entries, metrics, log)
        # One unknown name makes the whole run fail on some versions: then each is asked for alone, in groups first.
        left = [metric for metric in metrics if metric not in counters[0]]
        for size in (8, 1):
            if not left or code != 0 or (size == 1 and not counters[0]):
                break
            for first in range(0, len(left), size):
                for known, more in zip(counters, measure(ncu, command, entries, left[first:first + size], log)):
                    known.update(more)
            left = [metric for metric in left if metric not in counters[0]]
    if left:
        problems.append(f"no value for {', '.join(left)}")
    return Profile(version.strip().splitlines()[-1] if version.strip() else "unknown", offered, left, counters, problems)
